"""What is said about other programs: what they propose, how the servers that we ask are. In Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "program.asks": (
        "{program} 提议记住这一条，你点头才记：\n「{text}」",
        "{program} proposes to remember this; it is kept only if you say yes:\n“{text}”",
    ),
    "program.asks.claims": (
        "{program} 提议记住这一条，你点头才记：\n「{text}」\n它说你说过：「{quote}」",
        "{program} proposes to remember this; it is kept only if you say yes:\n“{text}”\n"
        "It says that you said: “{quote}”",
    ),
    "program.unnamed": ("一个程序", "A program"),
    "program.no_token": (
        "要通过 HTTP 提供记忆，先设一个至少 {least} 个字符的 KAIROS_MCP_TOKEN（例如 openssl rand -hex 24 的输出）。",
        "To serve memory over HTTP, set KAIROS_MCP_TOKEN to at least {least} characters"
        " (openssl rand -hex 24 makes one).",
    ),
    "program.port": ("端口 {port} 用不了：{why}。", "Port {port} cannot be used: {why}."),
    "outside.tools": ("{count} 个工具，用 {most} 个", "{count} tools, {most} offered"),
    "outside.missing": (
        "启动不了：找不到这个命令，或没有权限",
        "cannot be started: no such command, or no permission",
    ),
    "outside.silent": ("没有按时应答", "did not answer in time"),
    "outside.refused": ("拒绝了我们：检查 token", "refused us: check its token"),
    "outside.gone": ("连不上，或中途断了", "cannot be reached, or went away"),
    "outside.failed": ("应答出错，详情在日志里", "answered with an error; the log has more"),
    "why.approved": (
        "{origin}，{at}，{where}；{program} 提议，你同意了：「{quote}」",
        "{origin}, {at}, {where}; {program} proposed it and you approved: “{quote}”",
    ),
    "by.program": ("{program} 提议、你同意的", "{program}, approved by you"),
}

RECEIPTS: tuple[str, ...] = ()
