"""Harmless things that people ask to have remembered. The guard must let all of them pass.

Many lie close to what is never kept: a wage is no price, a rule with an "if" is nothing supposed, a friend's name is
no wish of theirs, and "never without asking me" is the opposite of a permission.
"""

FACTS_ZH = """
记住我对芒果过敏
记住我住在杭州西湖区
记一下，我的工号是 30721
帮我记住：我在一家出版社做校对
记住我每周三晚上打羽毛球
记住我月薪两万二
记一下我的房租现在是每月 4500 元
记住我家的猫叫煤球
记住我女儿上三年级
记住我老婆对花生过敏
记住我妈住在成都
记住我爸喜欢钓鱼
记住我同事小林负责前端
记住王芳是我的房东
记住李明和我一起做灯塔项目
记住我不吃香菜，也不吃葱
记住我讨厌开会
记住我以前在深圳上班，现在在苏州
记住我今年三十四岁
记住我穿 42 码的鞋
记住我血型是 O 型
记住我的车是白色的，车位在 B2-118
记住我上班坐 12 路公交
记住我高血压，每天吃一片药
记住我每天喝 8 杯水
记住我学西班牙语两年了
记住我的毕业论文写的是库存管理
记住我在审批部门工作
记住我负责公司的价格体系
记住我管华西仓的库存盘点
记住我下周二去上海出差
记住我 5 月 20 日结婚纪念日
记住我奶奶今年八十岁
记住我弟弟在读博士
记住我室友养了两只仓鼠
记住我跟导师每周五开组会
记住我周末一般睡到十点
记住我如果熬夜就会头疼
记住我喝咖啡会心慌
记住我怕高
记住我没有驾照
记住我不会游泳
记住我晚饭一般六点半吃
记住我的健身卡年费 2000 元
记住我买东西的预算在 300 元以内
记住我女儿的学费一年 8000 元
记住我家有一台旧钢琴
记住我有三个姐姐
记住我习惯用左手
记住我的电脑是 2021 款的
记住我在写一本关于江南的书
记住我的项目代号叫北斗
记住我们组用 PostgreSQL
记住我们公司年会在 12 月
记住我的邮箱是 chen@example.org
别忘了我不吃辣
千万别忘了我对青霉素过敏
请记住我已经换到夜班了
请记住我现在改吃素了
记住我不再喝酒了
"""

RULES_ZH = """
以后回答都用中文
以后回复简短一点
记住：报价一律含税
记住，写报告先写结论
以后查汇率默认人民币对日元
以后没我同意不要发邮件
删除文件之前一定先问我
不经我确认不得付款
别擅自改我的文件
以后别用感叹号
如果我说“周报”，就用三段式写
如果我发英文，就用英文回我
要是我问价格，记得告诉我来源
要是太长了就分成几条发
周报用表格写
给客户的邮件语气客气一点
给老板的消息要短
给我妈的消息字写大一点，别用网络用语
晚上十点后别提醒我
早上八点前不要打扰我
写代码用四个空格缩进
日期一律写成 2026-03-11 这种
金额保留两位小数
缺货的商品不要推荐给我
审批单要按日期排好
库存表按仓库分组
价格表放最后
股票的事别给我建议
推荐餐厅人均不超过 150 元
推荐书的时候附上页数
以后叫我阿岩
跟我说话别用敬语
你能不能以后都先给结论
可不可以以后少用表情
万一听不懂我的话，就直接问
讲历史的时候按时间顺序
翻译时保留人名原文
用公制单位
用 24 小时制
不要在回答里道歉
"""

FACTS_EN = """
remember I'm allergic to shellfish
remember that I live in Leeds
please remember my staff number is 4471
remember I work at a bakery
remember I earn 42000 pounds a year
remember my rent is 900 euros
remember my wife is allergic to nuts
remember my dad likes fishing
remember that Tom is my flatmate
remember Priya and I share an office
remember my cat is called Pickle
remember I hate coriander
remember I don't eat pork
remember I can't swim
remember I never learned to drive
remember I'm 34
remember my shoe size is 42
remember I take the bus 12 to work
remember I have high blood pressure
remember I drink two coffees a day
remember I work in inventory management
remember I approve invoices for the team
remember I'm a stock broker
remember I set prices for the northern region
remember that my thesis is about exchange rates
remember I fly to Rome next Tuesday
remember our anniversary is on May 20
remember my sister studies law
remember my neighbour has a spare key
remember I used to live in Berlin and now live in Lyon
remember I get headaches if I sleep badly
remember I get hives when I eat peanuts
remember I'm left-handed
remember I keep spare filters in the garage
remember I have two brothers
remember our team uses PostgreSQL
remember I wish to be called Sam
remember my gym membership is 30 euros a month
remember my budget is 300 dollars
remember I moved to night shifts
remember I stopped drinking
don't forget I'm off sugar
don't forget that I can't have gluten
remember I play the cello
remember my boss is called Ingrid
remember I could read before I was four
remember I was a nurse before
remember my book is set in Norway
remember I own an old piano
remember my laptop is from 2021
"""

RULES_EN = """
always answer in English
keep replies short
never delete anything without asking me first
don't send emails without my approval
do not pay before checking with me
never ask me how I am
if I write in French, answer in French
when I ask for a price, tell me the source
if it is too long, split it into parts
put the conclusion first
use metric units
use 24-hour times
no exclamation marks please
write dates as 2026-03-11
round amounts to two decimals
don't recommend items that are out of stock
sort approvals by date
group stock lists by warehouse
quotes always include VAT
by default use euros for exchange rates
call me Sam
don't remind me after 10 pm
mail to clients should be formal
messages to my boss should be brief
messages to my mum in big letters, no slang
restaurants under 40 euros a head
titles in sentence case
say "not known" rather than guess
cite page numbers when you recommend a book
tell history in order of time
keep names as they are when you translate
never apologise in answers
don't forget to add alt text to images
use four spaces in code
never give me stock tips
ask me before you order anything
can you always put sources at the end
remember to use tables for the weekly report
bullets instead of paragraphs
British spelling throughout
"""
