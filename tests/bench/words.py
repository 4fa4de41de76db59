"""What people say in the bench: ordinary talk in two languages; one in fifteen holds something to keep."""

from __future__ import annotations

TALK = (
    "Can you give me three ideas for a quick dinner with rice and eggs?",
    "What is the difference between a list and a tuple in Python?",
    "Thanks, that helps a lot.",
    "Explain compound interest to me as if I were twelve.",
    "Write a two-line birthday wish for my colleague.",
    "How many grams are in an ounce?",
    "I prefer short answers without bullet points.",
    "Summarise the plot of Hamlet in four sentences.",
    "What should I check before I buy a used bicycle?",
    "ok",
    "Is it cheaper to bake bread at home?",
    "Rewrite this more politely: send me the file today.",
    "Which of the two would you choose, and why?",
    "Give me a regex for dates like 2026-03-14.",
    "Tell me something interesting about octopuses.",
    "帮我想一个周末带孩子去哪里玩的计划",
    "这封邮件怎么回比较客气：对方想把会议推迟到下周",
    "好的，我先试试看",
    "为什么我的手机晚上充电会变热？",
    "把下面这句话翻译成英文：今天的天气比昨天好多了",
    "你觉得这个标题怎么样：小团队怎样做代码评审",
    "明天下雨的话还能去爬山吗",
    "刚才那个再说得简单一点",
    "给我列一个搬家前要做的事情清单",
    "哈哈，有意思",
    "这段话太长了，缩短到五十字以内：我们决定把发布时间推迟两周，因为测试里发现了几个问题",
    "excel 里怎么把两列合并成一列",
    "我对花生过敏",
    "有没有适合初学者的吉他曲",
    "下午三点开会之前我还能做完什么",
    "谢谢，今天先到这里",
)


def talk(count: int, start: int = 0) -> list[str]:
    """`count` messages from the list, around and around."""
    return [TALK[(start + i) % len(TALK)] for i in range(count)]
