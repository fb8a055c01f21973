"""Which questions ask about all documents, and which only sound like it."""

import pytest

from engine.answer.survey.recognising import Census, census


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("所有合同的金额分别是多少？", Census("list", "合同", "金额", "amount")),
        ("所有合同的金额合计是多少？", Census("sum", "合同", "金额", "amount")),
        ("这些发票的总金额是多少", Census("sum", "发票", "总金额", "amount")),
        ("汇总各合同的签订日期", Census("list", "合同", "签订日期", "date")),
        ("每个项目的预算是多少？", Census("list", "项目", "预算", "amount")),
        ("全部采购合同的供应商是谁？", Census("list", "采购合同", "供应商", "name")),
        ("各份合同的付款期限是多久？", Census("list", "合同", "付款期限", "duration")),
        ("一共有多少份合同？", Census("count", "合同", "", "documents")),
        ("合同一共有多少份？", Census("count", "合同", "", "documents")),
        ("统计合同数量", Census("count", "合同", "", "documents")),
        ("有几份报告涉及环境影响？", Census("count", "报告", "环境影响", "passage")),
        ("哪些文件提到了保密期限？", Census("list", "文件", "保密期限", "passage")),
        ("哪几份合同约定了违约金？", Census("list", "合同", "违约金", "passage")),
        ("列出所有提到远程办公的文件", Census("list", "文件", "远程办公", "passage")),
        ("How many contracts mention a penalty?", Census("count", "contracts", "penalty", "passage")),
        ("What is the amount of each contract?", Census("list", "contract", "amount", "amount")),
        ("What is the total amount of all contracts?", Census("sum", "contracts", "amount", "amount")),
        ("Which of the files mention remote work?", Census("list", "files", "remote work", "passage")),
        (
            "List all documents that mention remote work",
            Census("list", "documents", "remote work", "passage"),
        ),
    ],
)
def test_a_question_about_all_documents_is_understood(question: str, expected: Census) -> None:
    assert census(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "年假有多少天",
        "哪些部门可以申请",
        "公司一共有多少员工",
        "全部费用由谁承担",
        "所有员工都有年假吗",
        "每个月交多少社保",
        "本合同一式几份",
        "报告分为哪几个部分",
        "统计口径是什么",
        "汇总表由谁提交",
        "列出申请年假的步骤",
        "报销需要哪些文件？",
        "哪些文件需要提交",
        "申请时要提交几份材料",
        "所有合同须由谁审批？",
        "每份合同需要几个人签字",
        "根据判决书，所有案件的税款损失总金额是多少？",
        "两家公司各自报告年度内的净利润是多少？",
        "项目一共有多少人",
        "有多少个重建项目是1998年宣布的？",
        "合同金额是多少",
        "合同中有哪些条款？",
        "How many days of annual leave are there?",
        "How many long-term medical orders were prescribed?",
        "Which documents are required?",
        "How many copies of the contract must be signed?",
        "Who approves all contracts?",
        "Under which policy are unions encouraged?",
    ],
)
def test_a_question_about_one_fact_is_an_ordinary_one(question: str) -> None:
    assert census(question) is None
