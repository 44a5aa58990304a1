"""What a person sees of the store, as a Streamlit application."""
