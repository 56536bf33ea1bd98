"""Answers that are lists, in the ways people and language models write them, judged before they were run."""

from __future__ import annotations

import pytest

from toolgauge.answers import prepare
from toolgauge.locale import Locale

Judged = tuple[str, list[str], str, str]
"""A question, the items it asks for, an answer, and what it is worth."""

VIETNAMESE: list[Judged] = [
    (
        "Những mã nào tăng trần hôm nay?",
        ["GEX", "VIX"],
        "Hôm nay có hai mã tăng trần là **GEX** và **VIX**. HPG chỉ tăng 3%.",
        "right",
    ),
    ("Những mã nào tăng trần hôm nay?", ["GEX", "VIX"], "Mã tăng trần: GEX, VIX\nMã giảm sàn: LDG, QCG", "right"),
    ("Những mã nào giảm sàn hôm nay?", ["GEX", "VIX"], "Mã tăng trần: GEX, VIX\nMã giảm sàn: LDG, QCG", "wrong"),
    (
        "Những mã nào giảm sàn hôm nay?",
        ["LDG", "QCG"],
        "**Tăng trần**\n- GEX\n- VIX\n\n**Giảm sàn**\n- LDG\n- QCG",
        "right",
    ),
    (
        "Những mã nào giảm sàn hôm nay?",
        ["GEX", "VIX"],
        "**Tăng trần**\n- GEX\n- VIX\n\n**Giảm sàn**\n- LDG\n- QCG",
        "wrong",
    ),
    (
        "Các mã nào giảm điểm?",
        ["SSI", "VND"],
        "| Mã | Thay đổi |\n|---|---|\n| SSI | -1,2% |\n| FPT | +0,5% |\n| VND | -0,7% |",
        "right",
    ),
    (
        "Các mã nào tăng điểm?",
        ["SSI", "VND"],
        "| Mã | Thay đổi |\n|---|---|\n| SSI | -1,2% |\n| FPT | +0,5% |\n| VND | -0,7% |",
        "wrong",
    ),
    (
        "Những phòng nào còn trống?",
        ["Sen", "Cúc"],
        "| Phòng | Tình trạng |\n|---|---|\n| Sen | Còn trống |\n| Mai | Đã đặt |\n| Cúc | Còn trống |",
        "right",
    ),
    (
        "Những phòng nào còn trống?",
        ["Sen", "Cúc"],
        "| Phòng | Tình trạng |\n|---|---|\n| Sen | Còn trống |\n| Mai | Còn trống |\n| Cúc | Còn trống |",
        "wrong",
    ),
    ("Nhân viên nào đã nộp báo cáo?", ["An", "Bình"], "- An: đã nộp\n- Bình: đã nộp\n- Chi: chưa nộp", "right"),
    ("Nhân viên nào đã nộp báo cáo?", ["An", "Bình", "Chi"], "- An: đã nộp\n- Bình: đã nộp\n- Chi: chưa nộp", "wrong"),
    (
        "Tour ghé những thành phố nào?",
        ["Huế", "Đà Nẵng", "Hội An"],
        "Tour ghé 3 điểm:\n\n1. Huế (2 đêm)\n2. Đà Nẵng (1 đêm)\n3. Hội An (1 đêm)\n\nTour không ghé Quy Nhơn.",
        "right",
    ),
    ("Tour ghé những thành phố nào?", ["Huế", "Đà Nẵng", "Hội An"], "Tour ghé Huế, Đà Nẵng và Quy Nhơn.", "wrong"),
    ("Tour ghé những thành phố nào?", ["Huế", "Đà Nẵng"], "Tour ghé Huế và Đà Nẵng, không bao gồm Hội An.", "right"),
    (
        "Tour ghé những thành phố nào?",
        ["Huế", "Đà Nẵng", "Hội An"],
        "Tour ghé Huế và Đà Nẵng, không bao gồm Hội An.",
        "wrong",
    ),
    (
        "Ba công ty nào có vốn hóa lớn nhất?",
        ["Vietcombank", "Vingroup", "BIDV"],
        "1. Vietcombank (VCB) – 520 nghìn tỷ\n2. Vingroup (VIC) – 480 nghìn tỷ\n3. BIDV (BID) – 280 nghìn tỷ",
        "right",
    ),
    (
        "Ba công ty nào có vốn hóa lớn nhất?",
        ["VCB", "VIC", "BID"],
        "1. Vietcombank (VCB) – 520 nghìn tỷ\n2. Vingroup (VIC) – 480 nghìn tỷ\n3. BIDV (BID) – 280 nghìn tỷ",
        "right",
    ),
    (
        "Thành viên hội đồng gồm những ai?",
        ["Trần Văn Nam", "Lê Thị Hoa"],
        "Hội đồng gồm ông Trần Văn Nam (chủ tịch) và bà Lê Thị Hoa (ủy viên). Ông Phạm Minh đã từ nhiệm.",
        "right",
    ),
    (
        "Thành viên hội đồng gồm những ai?",
        ["Trần Văn Nam", "Lê Thị Hoa"],
        "- Ông Trần Văn Nam – Chủ tịch\n- Bà Lê Thị Hoa – Ủy viên\n- Ông Phạm Minh – Ủy viên",
        "wrong",
    ),
    (
        "Món này cần những gia vị nào?",
        ["Muối", "Tiêu", "Tỏi"],
        "Bạn cần muối, tiêu và tỏi, có thể thêm ớt nếu thích cay.",
        "right",
    ),
    ("Món này cần những gia vị nào?", ["Muối", "Tiêu"], "Bạn cần muối, tiêu và tỏi.", "wrong"),
    ("Những kênh nào hỗ trợ 24/7?", ["Hotline", "Zalo"], "Đáp án: Zalo, Hotline", "right"),
    (
        "Những kênh nào hỗ trợ 24/7?",
        ["Hotline", "Zalo"],
        "Xin lỗi, câu trả lời trước của mình thiếu sót. Các kênh hỗ trợ 24/7 là Hotline và Zalo.",
        "right",
    ),
    ("Những kênh nào hỗ trợ 24/7?", ["Hotline", "Zalo"], "Tôi không tìm thấy thông tin về kênh hỗ trợ.", "wrong"),
    (
        "Dự án dùng ngôn ngữ lập trình nào?",
        ["Python", "Go"],
        "Dự án dùng:\n- Python: phần xử lý dữ liệu\n  - thư viện pandas\n  - thư viện numpy\n- Go: phần máy chủ",
        "right",
    ),
    (
        "Môn nào thi buổi sáng?",
        ["Toán", "Lý"],
        "<table><tr><th>Môn</th><th>Buổi</th></tr><tr><td>Toán</td><td>Sáng</td></tr><tr><td>Văn</td><td>Chiều</td></tr><tr><td>Lý</td><td>Sáng</td></tr></table>",
        "right",
    ),
    (
        "Những tỉnh nào có dịch?",
        ["Long An", "Tiền Giang"],
        "Hiện có 2 tỉnh ghi nhận dịch: Long An (12 ổ) và Tiền Giang (3 ổ). Bến Tre và Vĩnh Long chưa ghi nhận ca nào.",
        "right",
    ),
    (
        "Những tỉnh nào có dịch?",
        ["Long An", "Tiền Giang"],
        "Các tỉnh có dịch gồm Long An, Tiền Giang và Bến Tre.",
        "wrong",
    ),
    ("Những tỉnh nào có dịch?", ["Long An", "Tiền Giang"], "Có dịch: ~~Bến Tre~~, Long An, Tiền Giang", "right"),
    (
        "Cầu thủ nào ghi bàn?",
        ["Quang Hải", "Tiến Linh"],
        "Hai cầu thủ ghi bàn: Quang Hải (15'), Tiến Linh (78').",
        "right",
    ),
    (
        "Sản phẩm nào hết hàng?",
        ["Áo thun"],
        "| Sản phẩm | Còn hàng |\n|---|---|\n| Áo thun | ❌ |\n| Quần jean | ✅ |",
        "right",
    ),
    (
        "Sản phẩm nào còn hàng?",
        ["Quần jean"],
        "| Sản phẩm | Còn hàng |\n|---|---|\n| Áo thun | ❌ |\n| Quần jean | ✅ |",
        "right",
    ),
]

ENGLISH: list[Judged] = [
    (
        "Which cities hosted the games?",
        ["Paris", "Lyon"],
        "The games were hosted by Paris and Lyon. Nice was a candidate but withdrew.",
        "right",
    ),
    ("Which cities hosted the games?", ["Paris", "Lyon"], "The games were hosted by Paris, Lyon and Nice.", "wrong"),
    (
        "Which cities hosted the games?",
        ["Paris", "Lyon", "Nice"],
        "The games were hosted by Paris and Lyon. Nice was a candidate but withdrew.",
        "wrong",
    ),
    ("Which students passed?", ["Ana", "Ben"], "**Passed:** Ana, Ben\n**Failed:** Carl, Dora", "right"),
    ("Which students failed?", ["Ana", "Ben"], "**Passed:** Ana, Ben\n**Failed:** Carl, Dora", "wrong"),
    ("Which students failed?", ["Carl", "Dora"], "**Passed:** Ana, Ben\n**Failed:** Carl, Dora", "right"),
    (
        "Which students passed?",
        ["Ana", "Ben"],
        "| Student | Passed |\n|---|---|\n| Ana | Yes |\n| Ben | Yes |\n| Carl | No |",
        "right",
    ),
    (
        "Which students did not pass?",
        ["Carl"],
        "| Student | Passed |\n|---|---|\n| Ana | Yes |\n| Ben | Yes |\n| Carl | No |",
        "right",
    ),
    ("Which tasks are done?", ["Design", "Build"], "- [x] Design\n- [x] Build\n- [ ] Test", "right"),
    ("Which tasks are still open?", ["Test"], "- [x] Design\n- [x] Build\n- [ ] Test", "right"),
    ("What toppings are on the pizza?", ["Mushrooms", "Olives"], "It comes with mushrooms and olives.", "right"),
    ("What toppings are on the pizza?", ["Mushrooms", "Olives"], "It comes with mushrooms, olives and ham.", "wrong"),
    (
        "What toppings are on the pizza?",
        ["Mushrooms", "Olives"],
        "Toppings:\n\n* Mushrooms\n* Olives\n\nNo ham, as requested.",
        "right",
    ),
    (
        "Which airlines fly direct?",
        ["Delta", "United"],
        "So in short, **Delta and United** fly direct; American requires a stop in Dallas.",
        "right",
    ),
    (
        "Which airlines fly direct?",
        ["Delta", "United"],
        "| Airline | Stops |\n|---|---|\n| Delta | 0 |\n| United | 0 |\n| American | 1 |\n"
        "\nSo the ones that fly direct are Delta and United.",
        "right",
    ),
    (
        "Which airlines fly direct?",
        ["Delta", "American"],
        "| Airline | Stops |\n|---|---|\n| Delta | 0 |\n| United | 0 |\n| American | 1 |\n"
        "\nSo the ones that fly direct are Delta and United.",
        "wrong",
    ),
    ("Which countries signed the treaty?", ["United States", "United Kingdom", "France"], "US, UK and France", "right"),
    (
        "Which countries signed the treaty?",
        ["France", "Italy"],
        "All neighbours signed except Spain; concretely, France and Italy.",
        "right",
    ),
    (
        "Who is on the team?",
        ["Maria Lopez", "John Smith"],
        "1. Maria Lopez (lead)\n2. John Smith (QA)\n\nTotal: 2 people",
        "right",
    ),
    (
        "Who is on the team?",
        ["Maria Lopez", "John Smith"],
        "The team is Maria Lopez, John Smith, and Wei Chen.",
        "wrong",
    ),
    ("Who attended the meeting?", ["Kim", "Lee"], "Attendees: Kim, Lee\nAbsent: Park", "right"),
    ("Who was absent from the meeting?", ["Park"], "Attendees: Kim, Lee\nAbsent: Park", "right"),
    (
        "Which models support vision?",
        ["Alpha", "Gamma"],
        "## Vision\n- Alpha\n- Gamma\n\n## Text only\n- Beta",
        "right",
    ),
    (
        "Which models support vision?",
        ["Alpha", "Beta", "Gamma"],
        "## Vision\n- Alpha\n- Gamma\n\n## Text only\n- Beta",
        "wrong",
    ),
    (
        "List the ingredients.",
        ["Flour", "Sugar", "Eggs"],
        "You'll need:\n- 2 cups flour\n- 1 cup sugar\n- 3 eggs",
        "right",
    ),
    (
        "List the ingredients.",
        ["Flour", "Sugar", "Eggs"],
        "You'll need:\n- 2 cups flour\n- 1 cup sugar\n- 3 eggs\n- 100 g butter",
        "wrong",
    ),
    ("Which ports are open?", ["22", "443"], "Open ports: 22 (ssh) and 443 (https). Port 80 is closed.", "right"),
    ("Which ports are open?", ["22", "443"], "Open ports: 22, 80 and 443.", "wrong"),
    (
        "Which branches were merged?",
        ["feature-a", "fix-b"],
        "Merged branches: `feature-a`, `fix-b`. `wip-c` is still open.",
        "right",
    ),
    (
        "Which three cities are the largest?",
        ["Tokyo", "Delhi", "Shanghai"],
        "The three largest are Tokyo (37M), Delhi (33M) and Shanghai (29M), followed by Dhaka.",
        "right",
    ),
    ("Which suppliers were late?", ["Acme"], "Only Acme was late. Borealis and Corex delivered on time.", "right"),
    (
        "Which suppliers were late?",
        ["Acme", "Borealis"],
        "Only Acme was late. Borealis and Corex delivered on time.",
        "wrong",
    ),
    (
        "Which suppliers were late?",
        ["Acme", "Borealis"],
        "Acme and Corex were late. Correction: Acme and Borealis were late.",
        "right",
    ),
    (
        "Which suppliers were late?",
        ["Acme", "Corex"],
        "Acme and Corex were late. Correction: Acme and Borealis were late.",
        "wrong",
    ),
    ("Which plans include storage?", ["Pro", "Team"], '{"plans": ["Pro", "Team"]}', "right"),
]


def _verdict(question: str, value: list[str], output: str, locale: Locale) -> str | None:
    return prepare({"type": "list", "value": [*value]}, locale=locale, question=question)(output).verdict


@pytest.mark.parametrize("judged", VIETNAMESE, ids=lambda judged: judged[2][:50])
def test_vietnamese_answers(judged: Judged) -> None:
    question, value, output, verdict = judged
    assert _verdict(question, value, output, "vi") == verdict


@pytest.mark.parametrize("judged", ENGLISH, ids=lambda judged: judged[2][:50])
def test_english_answers(judged: Judged) -> None:
    question, value, output, verdict = judged
    assert _verdict(question, value, output, "en") == verdict


@pytest.mark.parametrize("judged", [*VIETNAMESE, *ENGLISH], ids=lambda judged: judged[2][:50])
def test_one_item_more_in_the_reference_is_never_right(judged: Judged) -> None:
    question, value, output, _ = judged
    answer = prepare({"type": "list", "value": [*value, "Zanzibar"]}, question=question)(output)
    assert answer.verdict != "right"
