"""One statistic a file: SQL, or Python where SQL cannot say it. Each begins with its header."""
