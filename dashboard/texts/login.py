"""Logging in."""

TEXTS: dict[str, tuple[str, str]] = {
    "login.title": ("请先登录", "Please log in"),
    "login.lead": ("这个看板只对登录的人开放。", "This dashboard is open to those who have logged in."),
    "login.enter": ("登录", "Log in"),
    "login.with": ("用 {name} 登录", "Log in with {name}"),
    "login.leave": ("退出", "Log out"),
    "login.not_allowed": ("这个账号不在允许之列", "This account may not enter"),
    "login.who": ("已登录：{who}", "Logged in: {who}"),
}
