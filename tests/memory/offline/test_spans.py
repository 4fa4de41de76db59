"""Plainly worded filing rules: the tagger finds exactly the kind of picture and the place.

A net under the shipped weights: whoever trains them anew sees here what got lost.
"""

from __future__ import annotations

import pytest

from memory.offline.spans import load_tagger

RULES = [
    # Chinese, Chinese names
    ("以后我截的图要是报错信息，就放到「线上问题」", "报错信息", "线上问题"),
    ("体检报告的照片放到健康档案", "体检报告", "健康档案"),
    ("所有外卖订单截图都归到吃喝", "外卖订单截图", "吃喝"),
    ("聊天记录的截图统一放进「沟通留底」", "聊天记录", "沟通留底"),  # what it is a picture of is enough
    ("如果我发的是快递单，帮我存到包裹这个分类", "快递单", "包裹"),
    ("电费单放到家庭账单", "电费单", "家庭账单"),
    ("孩子的画都收进「成长册」里", "孩子的画", "成长册"),
    ("地图截图归到出行路线", "地图截图", "出行路线"),
    ("以后白板照片一律放进会议纪要", "白板照片", "会议纪要"),
    ("看到菜谱截图就存到厨房灵感", "菜谱截图", "厨房灵感"),
    ("发票请放报销", "发票", "报销"),
    ("代码截图改放到草稿箱", "代码截图", "草稿箱"),
    ("登机牌和火车票都归到行程", "登机牌和火车票", "行程"),
    # Chinese, English names
    ("代码截图放到 Snippets", "代码截图", "Snippets"),
    ("以后设计稿截图都归到 UI 灵感", "设计稿截图", "UI 灵感"),
    ("合同照片放进 Legal Docs", "合同照片", "Legal Docs"),
    ("工资条截图存到 Payroll 2026", "工资条截图", "Payroll 2026"),
    ("终端截图归到 ops-log", "终端截图", "ops-log"),
    ("数学题照片放进「Maths 错题」", "数学题照片", "Maths 错题"),
    ("论文截图放进 文献 Reading 分类", "论文截图", "文献 Reading"),
    # English, English names
    ("Screenshots of terminal output go in Ops", "terminal output", "Ops"),
    ("put pharmacy receipts under Health", "pharmacy receipts", "Health"),
    ("Parking tickets go to Car costs", "Parking tickets", "Car costs"),
    ("from now on, screenshots of chats belong in Conversations", "screenshots of chats", "Conversations"),
    ('file concert tickets under "Nights out"', "concert tickets", "Nights out"),
    ("whenever I send a whiteboard photo, put it in Meetings", "whiteboard photo", "Meetings"),
    ("Hotel bookings should go in Travel Plans", "Hotel bookings", "Travel Plans"),
    ("please keep recipes in Kitchen Ideas", "recipes", "Kitchen Ideas"),
    ("all design mockups go to the Inspiration folder", "design mockups", "Inspiration"),
    ("error messages belong under Incidents", "error messages", "Incidents"),
    ("if it's a bank statement, file it under Finance", "bank statement", "Finance"),
    ("Lab results go in R&D", "Lab results", "R&D"),
    # English, Chinese names
    ("code screenshots go to 工程备忘", "code screenshots", "工程备忘"),
    ("boarding passes belong in 差旅票据", "boarding passes", "差旅票据"),
    ("put gym selfies in 健身打卡 please", "gym selfies", "健身打卡"),
    ("Bank statements should go under 财务/对账", "Bank statements", "财务/对账"),
    ("file whiteboard photos as 会议纪要", "whiteboard photos", "会议纪要"),
    ("code screenshots go in 前端 Snippets", "code screenshots", "前端 Snippets"),
    ("Lecture slides → 课程笔记", "Lecture slides", "课程笔记"),
    ("receipts go to 2026 年报销", "receipts", "2026 年报销"),
]


@pytest.mark.parametrize(("said", "what", "where"), RULES)
def test_a_plain_rule_is_read_to_the_letter(said: str, what: str, where: str) -> None:
    found = load_tagger().find(said, "file")
    assert (found.what, found.where) == (what, where)
