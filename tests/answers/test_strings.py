"""Names in answers: which of several answers the question, judged before the rules were written."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from toolgauge.answers import prepare
from toolgauge.locale import Locale


class Item(NamedTuple):
    """One answer, and what a careful reader says of it."""

    verdict: str
    locale: Locale
    question: str
    value: str | list[str]
    """The reference, or it and its aliases."""
    output: str


ITEMS = [
    # plain prose, the answer first
    Item("right", "en", "Who painted The Night Watch?", "Rembrandt", "The Night Watch was painted by Rembrandt in 1642. Vermeer and Frans Hals worked in the same period."),
    Item("wrong", "en", "Who painted The Night Watch?", "Rembrandt", "The Night Watch was painted by Frans Hals in 1642. Rembrandt and Vermeer worked in the same period."),
    Item("right", "vi", "Ai sáng tác bài Tiến quân ca?", "Văn Cao", "Tiến quân ca do nhạc sĩ Văn Cao sáng tác năm 1944. Phạm Duy và Đỗ Nhuận cũng là những tên tuổi lớn cùng thời."),
    Item("wrong", "vi", "Ai sáng tác bài Tiến quân ca?", "Văn Cao", "Tiến quân ca do nhạc sĩ Đỗ Nhuận sáng tác năm 1944. Văn Cao và Phạm Duy cũng là những tên tuổi lớn cùng thời."),
    Item("right", "en", "What is the capital of Kazakhstan?", "Astana", "Astana is the capital of Kazakhstan. Almaty, the largest city, was the capital until 1997."),
    Item("wrong", "en", "What is the capital of Kazakhstan?", "Almaty", "Astana is the capital of Kazakhstan. Almaty, the largest city, was the capital until 1997."),
    Item("right", "vi", "Thủ đô của Brazil là thành phố nào?", "Brasília", "Thủ đô của Brazil là Brasília. São Paulo là thành phố đông dân nhất, còn Rio de Janeiro từng là thủ đô đến năm 1960."),
    Item("wrong", "vi", "Thủ đô của Brazil là thành phố nào?", "Rio de Janeiro", "Thủ đô của Brazil là Brasília. São Paulo là thành phố đông dân nhất, còn Rio de Janeiro từng là thủ đô đến năm 1960."),
    # roles of people
    Item("right", "en", "Who is the chief technology officer of Marlow Energy?", "Priscilla Adeyemi", "Marlow Energy's leadership: Colin Barth is chief executive, Priscilla Adeyemi is chief technology officer, and Jon Ruiz runs finance."),
    Item("wrong", "en", "Who is the chief technology officer of Marlow Energy?", "Colin Barth", "Marlow Energy's leadership: Colin Barth is chief executive, Priscilla Adeyemi is chief technology officer, and Jon Ruiz runs finance."),
    Item("right", "vi", "Ai là kế toán trưởng của Công ty Nhựa Phú Lâm?", "Lương Thị Mai", "- Tổng giám đốc: ông Đinh Văn Hậu\n- Kế toán trưởng: bà Lương Thị Mai\n- Trưởng ban kiểm soát: ông Tạ Quang Minh"),
    Item("wrong", "vi", "Ai là kế toán trưởng của Công ty Nhựa Phú Lâm?", "Đinh Văn Hậu", "- Tổng giám đốc: ông Đinh Văn Hậu\n- Kế toán trưởng: bà Lương Thị Mai\n- Trưởng ban kiểm soát: ông Tạ Quang Minh"),
    Item("right", "vi", "Bác sĩ nào phụ trách khoa Tim mạch?", "Trịnh Công Khánh", "Phụ trách khoa Tim mạch hiện là **TS.BS. Trịnh Công Khánh**; phó khoa là ThS.BS. Lâm Bích Ngọc."),
    Item("wrong", "vi", "Bác sĩ nào phụ trách khoa Tim mạch?", "Lâm Bích Ngọc", "Phụ trách khoa Tim mạch hiện là **TS.BS. Trịnh Công Khánh**; phó khoa là ThS.BS. Lâm Bích Ngọc."),
    Item("right", "en", "Who chairs the audit committee?", "Helen Park", "The audit committee is chaired by Dr. Helen J. Park. Members are Luis Ortega and Mei Tan."),
    Item("wrong", "en", "Who chairs the audit committee?", "Luis Ortega", "The audit committee is chaired by Dr. Helen J. Park. Members are Luis Ortega and Mei Tan."),
    # middle names and initials
    Item("right", "en", "Which president was assassinated in Dallas in 1963?", "John Kennedy", "John F. Kennedy was assassinated in Dallas on November 22, 1963; Lyndon B. Johnson was sworn in the same day."),
    Item("wrong", "en", "Which president was assassinated in Dallas in 1963?", "Lyndon Johnson", "John F. Kennedy was assassinated in Dallas on November 22, 1963; Lyndon B. Johnson was sworn in the same day."),
    Item("right", "en", "Who wrote the report?", "Samuel L. Okoro", "The report was written by Samuel Okoro."),
    Item("wrong", "en", "Who wrote the report?", "Samuel Okoro", "The report was written by Samuel Okoroafor."),
    Item("wrong", "vi", "Ai là tác giả bài viết?", "Nguyễn Hải", "Tác giả bài viết là Nguyễn Minh Hải."),
    Item("right", "en", "Who is the CEO of Tessera?", ["Robert Chen", "Bob Chen"], "Tessera is led by CEO Bob Chen, who replaced Ana Ruiz in 2024."),
    Item("wrong", "en", "Who is the CEO of Tessera?", "Ana Ruiz", "Tessera is led by CEO Bob Chen, who replaced Ana Ruiz in 2024."),
    # former and current
    Item("right", "vi", "Ai là huấn luyện viên hiện tại của CLB Sông Thương?", "Park Min-soo", "HLV hiện tại của CLB Sông Thương là ông Park Min-soo, người kế nhiệm Trần Đình Lực từ tháng 6/2025."),
    Item("wrong", "vi", "Ai là huấn luyện viên hiện tại của CLB Sông Thương?", "Trần Đình Lực", "HLV hiện tại của CLB Sông Thương là ông Park Min-soo, người kế nhiệm Trần Đình Lực từ tháng 6/2025."),
    Item("wrong", "en", "Which vendor supplies our badges?", "IdentiCo", "We used IdentiCo until last spring. Since April the badges come from PassWorks."),
    Item("right", "en", "Which vendor supplies our badges?", "PassWorks", "We used IdentiCo until last spring. Since April the badges come from PassWorks."),
    Item("right", "en", "Who was the previous CEO of Tessera?", "Ana Ruiz", "The previous CEO was Ana Ruiz. Bob Chen has led Tessera since 2024."),
    Item("wrong", "vi", "Văn phòng chính của Lạc Việt đặt ở thành phố nào?", "Nha Trang", "Văn phòng chính của Lạc Việt hiện ở Quy Nhơn. Trước năm 2022, công ty đặt trụ sở tại Nha Trang."),
    Item("right", "vi", "Văn phòng chính của Lạc Việt đặt ở thành phố nào?", "Quy Nhơn", "Văn phòng chính của Lạc Việt hiện ở Quy Nhơn. Trước năm 2022, công ty đặt trụ sở tại Nha Trang."),
    # runner-up and rankings
    Item("wrong", "en", "Which country won the most gold medals?", "Norway", "Germany won the most gold medals with 14, followed by Norway with 12 and Canada with 9."),
    Item("right", "en", "Which country won the most gold medals?", "Germany", "Germany won the most gold medals with 14, followed by Norway with 12 and Canada with 9."),
    Item("wrong", "vi", "Tỉnh nào có sản lượng cà phê lớn nhất?", "Lâm Đồng", "Đắk Lắk dẫn đầu về sản lượng cà phê với khoảng 560.000 tấn; Lâm Đồng xếp thứ hai, Gia Lai thứ ba."),
    Item("right", "vi", "Tỉnh nào có sản lượng cà phê lớn nhất?", "Đắk Lắk", "Đắk Lắk dẫn đầu về sản lượng cà phê với khoảng 560.000 tấn; Lâm Đồng xếp thứ hai, Gia Lai thứ ba."),
    Item("wrong", "en", "Which branch had the highest sales in June?", "Riverside", "June sales by branch:\n\n1. Hilltop – $412k\n2. Riverside – $398k\n3. Old Town – $301k"),
    Item("right", "en", "Which branch had the highest sales in June?", "Hilltop", "June sales by branch:\n\n1. Hilltop – $412k\n2. Riverside – $398k\n3. Old Town – $301k"),
    Item("wrong", "vi", "Đội nào vô địch giải bóng chuyền nữ?", "Hóa chất Đức Giang", "Ngôi vô địch thuộc về **LPBank Ninh Bình** sau khi thắng Hóa chất Đức Giang 3–1 ở chung kết."),
    Item("right", "vi", "Đội nào vô địch giải bóng chuyền nữ?", "LPBank Ninh Bình", "Ngôi vô địch thuộc về **LPBank Ninh Bình** sau khi thắng Hóa chất Đức Giang 3–1 ở chung kết."),
    Item("wrong", "en", "Who won the chess tournament?", "Pavel Novak", "Anika Rao won the tournament on tiebreaks. Pavel Novak, who led until the last round, came second."),
    # tables
    Item("right", "vi", "Sản phẩm nào bán chạy nhất tháng 5?", "Bình giữ nhiệt", "| Sản phẩm | Tháng 4 | Tháng 5 |\n|---|---|---|\n| Bình giữ nhiệt | 310 | 540 |\n| Hộp cơm | 420 | 395 |\n\nTháng 5, **Bình giữ nhiệt** bán chạy nhất."),
    Item("wrong", "vi", "Sản phẩm nào bán chạy nhất tháng 5?", "Hộp cơm", "| Sản phẩm | Tháng 4 | Tháng 5 |\n|---|---|---|\n| Bình giữ nhiệt | 310 | 540 |\n| Hộp cơm | 420 | 395 |\n\nTháng 5, **Bình giữ nhiệt** bán chạy nhất."),
    Item("right", "en", "Who is the owner of the Apollo project?", "Dana Whitfield", "| Project | Owner | Status |\n|---|---|---|\n| Apollo | Dana Whitfield | green |\n| Borealis | Mark Oduya | amber |"),
    Item("wrong", "en", "Who is the owner of the Apollo project?", "Mark Oduya", "| Project | Owner | Status |\n|---|---|---|\n| Apollo | Dana Whitfield | green |\n| Borealis | Mark Oduya | amber |"),
    Item("right", "vi", "Nhân viên nào trực ngày thứ Bảy?", "Lê Bảo Trâm", "| Ngày | Người trực |\n|---|---|\n| Thứ Sáu | Võ Đức Anh |\n| Thứ Bảy | Lê Bảo Trâm |\n| Chủ nhật | Phùng Gia Huy |"),
    Item("wrong", "vi", "Nhân viên nào trực ngày thứ Bảy?", "Phùng Gia Huy", "| Ngày | Người trực |\n|---|---|\n| Thứ Sáu | Võ Đức Anh |\n| Thứ Bảy | Lê Bảo Trâm |\n| Chủ nhật | Phùng Gia Huy |"),
    Item("right", "en", "Which laptop has the longest battery life?", "Zephyr 14", "| Model | Battery (h) | Price |\n|---|---|---|\n| Orbit X | 11 | $999 |\n| Zephyr 14 | 17 | $1,249 |\n| Nova Air | 14 | $899 |"),
    Item("wrong", "en", "Which laptop has the longest battery life?", "Orbit X", "| Model | Battery (h) | Price |\n|---|---|---|\n| Orbit X | 11 | $999 |\n| Zephyr 14 | 17 | $1,249 |\n| Nova Air | 14 | $899 |"),
    # corrections
    Item("right", "en", "Which river flows through Cologne?", "Rhine", "Cologne lies on the Main. Sorry, correction: it lies on the Rhine."),
    Item("wrong", "en", "Which river flows through Cologne?", "Main", "Cologne lies on the Main. Sorry, correction: it lies on the Rhine."),
    Item("right", "vi", "Ai phát minh ra điện thoại?", "Alexander Graham Bell", "Thomas Edison phát minh ra điện thoại. Đính chính: người được cấp bằng sáng chế điện thoại là Alexander Graham Bell."),
    Item("wrong", "vi", "Ai phát minh ra điện thoại?", "Thomas Edison", "Thomas Edison phát minh ra điện thoại. Đính chính: người được cấp bằng sáng chế điện thoại là Alexander Graham Bell."),
    Item("wrong", "en", "Which gate does the flight leave from?", "B12", "The app first showed gate B12, but it has been changed: the flight now leaves from gate C3."),
    Item("right", "en", "Which gate does the flight leave from?", "C3", "The app first showed gate B12, but it has been changed: the flight now leaves from gate C3."),
    # not X but Y
    Item("right", "en", "Which company makes the engine?", "Corvane", "The engine is not built by Halden but by Corvane."),
    Item("wrong", "en", "Which company makes the engine?", "Halden", "The engine is not built by Halden but by Corvane."),
    Item("right", "vi", "Ai là người ký hợp đồng?", "Phan Thanh Bình", "Người ký hợp đồng không phải ông Lưu Quang Vũ mà là ông Phan Thanh Bình."),
    Item("wrong", "vi", "Ai là người ký hợp đồng?", "Lưu Quang Vũ", "Người ký hợp đồng không phải ông Lưu Quang Vũ mà là ông Phan Thanh Bình."),
    # hearsay and denial
    Item("wrong", "en", "Which studio is making the sequel?", "Redfern Pictures", "Rumours on fan forums point to Redfern Pictures, but the official announcement names Larkspur Films as the studio making the sequel."),
    Item("right", "en", "Which studio is making the sequel?", "Larkspur Films", "Rumours on fan forums point to Redfern Pictures, but the official announcement names Larkspur Films as the studio making the sequel."),
    Item("wrong", "vi", "Nghệ sĩ nào hát ca khúc chủ đề?", "Hà Linh", "Trên mạng xã hội nhiều người đồn là Hà Linh, nhưng theo nhà sản xuất, ca khúc chủ đề do Minh Vương thể hiện."),
    Item("right", "vi", "Nghệ sĩ nào hát ca khúc chủ đề?", "Minh Vương", "Trên mạng xã hội nhiều người đồn là Hà Linh, nhưng theo nhà sản xuất, ca khúc chủ đề do Minh Vương thể hiện."),
    # parent, subsidiary, another entity, source
    Item("wrong", "en", "Which company acquired Brightloom?", "Atlas Group", "Brightloom was acquired by Vantiq Software, a subsidiary of Atlas Group, for $90 million."),
    Item("right", "en", "Which company acquired Brightloom?", "Vantiq Software", "Brightloom was acquired by Vantiq Software, a subsidiary of Atlas Group, for $90 million."),
    Item("wrong", "vi", "Công ty nào trúng thầu dự án cầu Vân Phong?", "Tập đoàn Thái Dương", "Đơn vị trúng thầu dự án cầu Vân Phong là **Công ty CP Xây dựng Trường Giang** (công ty con của Tập đoàn Thái Dương)."),
    Item("right", "vi", "Công ty nào trúng thầu dự án cầu Vân Phong?", ["Công ty CP Xây dựng Trường Giang", "Trường Giang"], "Đơn vị trúng thầu dự án cầu Vân Phong là **Công ty CP Xây dựng Trường Giang** (công ty con của Tập đoàn Thái Dương)."),
    Item("wrong", "en", "Which airline had the fewest delays in May?", "FlightStats", "According to FlightStats, Skybridge had the fewest delays in May."),
    Item("right", "en", "Which airline had the fewest delays in May?", "Skybridge", "According to FlightStats, Skybridge had the fewest delays in May."),
    Item("wrong", "vi", "Hãng nào sản xuất dòng xe Luna?", "VnExpress", "Theo VnExpress, dòng xe Luna do hãng Thaco Bình Minh sản xuất."),
    # options and a recommendation
    Item("right", "en", "Which plan should a team of five choose?", "Growth", "You have three options:\n\n- **Starter**: up to 3 users\n- **Growth**: up to 10 users\n- **Scale**: unlimited users\n\nFor a team of five I recommend the **Growth** plan."),
    Item("wrong", "en", "Which plan should a team of five choose?", "Starter", "You have three options:\n\n- **Starter**: up to 3 users\n- **Growth**: up to 10 users\n- **Scale**: unlimited users\n\nFor a team of five I recommend the **Growth** plan."),
    Item("right", "vi", "Nên chọn gói bảo hành nào cho máy giặt?", "Gói Bạc", "Có ba gói: Gói Đồng, Gói Bạc và Gói Vàng. Với máy giặt, bạn nên chọn Gói Bạc vì đủ bảo hành động cơ."),
    Item("wrong", "vi", "Nên chọn gói bảo hành nào cho máy giặt?", "Gói Vàng", "Có ba gói: Gói Đồng, Gói Bạc và Gói Vàng. Với máy giặt, bạn nên chọn Gói Bạc vì đủ bảo hành động cơ."),
    Item("right", "en", "Is Helsinki or Tallinn further north?", "Helsinki", "Helsinki is further north than Tallinn: 60.2°N against 59.4°N."),
    Item("wrong", "en", "Is Helsinki or Tallinn further north?", "Tallinn", "Helsinki is further north than Tallinn: 60.2°N against 59.4°N."),
    # codes, tickers, versions
    Item("right", "vi", "Mã chứng khoán của Công ty CP Sữa Việt Nam là gì?", "VNM", "Công ty CP Sữa Việt Nam – Vinamilk (VNM) niêm yết trên HOSE."),
    Item("wrong", "vi", "Mã chứng khoán của Vinamilk là gì?", "MCM", "Vinamilk có mã **VNM** trên HOSE; công ty liên quan Mộc Châu Milk có mã MCM."),
    Item("right", "en", "What is the order number of the delayed shipment?", "SO-88213", "Two orders shipped this week: SO-88190 arrived on time, while SO-88213 is delayed until Monday."),
    Item("wrong", "en", "What is the order number of the delayed shipment?", "SO-88190", "Two orders shipped this week: SO-88190 arrived on time, while SO-88213 is delayed until Monday."),
    Item("right", "en", "Which version fixed the memory leak?", "2.4.1", "The memory leak was introduced in 2.3.0 and fixed in **2.4.1**."),
    Item("wrong", "en", "Which version fixed the memory leak?", "2.3.0", "The memory leak was introduced in 2.3.0 and fixed in **2.4.1**."),
    Item("right", "vi", "Chuyến bay nào từ Vinh đi Đà Lạt khởi hành lúc 7 giờ?", "VN1273", "Có hai chuyến: **VN1273** khởi hành lúc 7:00, còn VJ405 khởi hành lúc 14:20."),
    Item("wrong", "vi", "Chuyến bay nào từ Vinh đi Đà Lạt khởi hành lúc 7 giờ?", "VJ405", "Có hai chuyến: **VN1273** khởi hành lúc 7:00, còn VJ405 khởi hành lúc 14:20."),
    Item("right", "en", "Which model is recommended for speech?", "Whisper Large v3", "For speech, use **Whisper Large v3**; Whisper Large v2 is older and less accurate."),
    Item("wrong", "en", "Which model is recommended for speech?", "Whisper Large v2", "For speech, use **Whisper Large v3**; Whisper Large v2 is older and less accurate."),
    Item("right", "en", "Which company had the best year, Vinamilk or Masan?", ["Vinamilk", "VNM"], "Vinamilk (VNM) had the better year; Masan (MSN) lost ground."),
    # quoted titles and things in small letters
    Item("right", "en", "Which song opens the album?", "Paper Lanterns", 'The album opens with "Paper Lanterns"; "Slow Harbour" is the closing track.'),
    Item("wrong", "en", "Which song opens the album?", "Slow Harbour", 'The album opens with "Paper Lanterns"; "Slow Harbour" is the closing track.'),
    Item("right", "vi", "Tập truyện nào của cô đoạt giải?", "Gió qua miền nhớ", "Tập truyện đoạt giải là “Gió qua miền nhớ”. Tập “Mưa tháng Chạp” chỉ vào chung khảo."),
    Item("wrong", "vi", "Tập truyện nào của cô đoạt giải?", "Mưa tháng Chạp", "Tập truyện đoạt giải là “Gió qua miền nhớ”. Tập “Mưa tháng Chạp” chỉ vào chung khảo."),
    Item("right", "en", "Which metal has the highest electrical conductivity?", "silver", "The best conductor is silver. Copper is a close second and gold comes third."),
    Item("wrong", "en", "Which metal has the highest electrical conductivity?", "copper", "The best conductor is silver. Copper is a close second and gold comes third."),
    Item("right", "vi", "Nguyên liệu chính của món này là gì?", "đậu phụ", "Nguyên liệu chính của món này là đậu phụ, thêm chút nấm hương và hành lá."),
    Item("wrong", "vi", "Nguyên liệu chính của món này là gì?", "nấm hương", "Nguyên liệu chính của món này là đậu phụ, thêm chút nấm hương và hành lá."),
    Item("wrong", "en", "What colour is the warning light?", "amber", "The warning light is red. An amber light only means that service is due."),
    # markers, examples, offers
    Item("wrong", "en", "Which city hosts the fair?", "Milan", "The fair moves between cities, for example Milan in 2023. Final answer: Turin"),
    Item("right", "en", "Which city hosts the fair?", "Turin", "The fair moves between cities, for example Milan in 2023. Final answer: Turin"),
    Item("wrong", "vi", "Tàu nào đến Huế sớm nhất?", "SE3", "Tàu SE1 đến Huế sớm nhất, lúc 8:40. Nếu bạn muốn đi SE3 thì tôi có thể kiểm tra chỗ."),
    Item("right", "vi", "Tàu nào đến Huế sớm nhất?", "SE1", "Tàu SE1 đến Huế sớm nhất, lúc 8:40. Nếu bạn muốn đi SE3 thì tôi có thể kiểm tra chỗ."),
    Item("wrong", "en", "Which tool did the agent use first?", "Terraform", "It ran Ansible first and only then Terraform."),
    Item("right", "en", "Which tool did the agent use first?", "Ansible", "It ran Ansible first and only then Terraform."),
    # nothing decided
    Item("ambiguous", "en", "Which supplier offers the lowest price?", "Norfab", "It is a toss-up: **Norfab** and **Steelix** both quote the lowest price, depending on the list used, and I can't tell which of the two applies."),
    Item("ambiguous", "vi", "Xã nào có dân số đông nhất huyện?", "An Hòa", "Số liệu không thống nhất: niên giám ghi An Hòa đông nhất, còn báo cáo của huyện ghi Bình Phú đông nhất. Tôi chưa xác định được bên nào đúng."),
    # the question's own names are no answers
    Item("right", "en", "Which company does Ford work with on batteries?", "Kestrel Cells", "Ford works with Kestrel Cells on batteries. Ford also buys chips from Norwell."),
    Item("wrong", "en", "Which company does Ford work with on batteries?", "Norwell", "Ford works with Kestrel Cells on batteries. Ford also buys chips from Norwell."),
    Item("right", "vi", "Trường Đại học Kinh tế Bắc Sơn thuộc tỉnh nào?", "Thái Nguyên", "Trường Đại học Kinh tế Bắc Sơn nằm ở tỉnh Thái Nguyên, cách Hà Nội khoảng 80 km."),
    Item("wrong", "vi", "Trường Đại học Kinh tế Bắc Sơn thuộc tỉnh nào?", "Hà Nội", "Trường Đại học Kinh tế Bắc Sơn nằm ở tỉnh Thái Nguyên, cách Hà Nội khoảng 80 km."),
]  # fmt: skip


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: f"{item.question} {item.value} {item.verdict}")
def test_the_name_that_answers_the_question_decides(item: Item) -> None:
    value, *aliases = [item.value] if isinstance(item.value, str) else item.value
    answer = prepare(
        {"type": "string", "value": value, "aliases": [*aliases]}, locale=item.locale, question=item.question
    )(item.output)
    assert answer.verdict == item.verdict, (answer.reason, answer.chosen, answer.runner_up)
