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
    (
        "Những quận nào bị cúp nước ngày mai?",
        ["Quận 1", "Quận 3"],
        "Ngày mai Quận 1 và Quận 3 bị cúp nước từ 22h. Quận 5 không bị ảnh hưởng.",
        "right",
    ),
    (
        "Những quận nào bị cúp nước ngày mai?",
        ["Quận 1", "Quận 3"],
        "| Quận | Cúp nước |\n|---|---|\n| Quận 1 | Có |\n| Quận 3 | Có |\n| Quận 5 | Không |",
        "right",
    ),
    (
        "Những quận nào bị cúp nước ngày mai?",
        ["Quận 1", "Quận 3", "Quận 5"],
        "| Quận | Cúp nước |\n|---|---|\n| Quận 1 | Có |\n| Quận 3 | Có |\n| Quận 5 | Không |",
        "wrong",
    ),
    (
        "Kể tên các ngân hàng có lãi suất trên 6%.",
        ["OCB", "NamABank"],
        "| Ngân hàng | Lãi suất |\n|---|---|\n| OCB | 6,2% |\n| VCB | 4,7% |\n| NamABank | 6,1% |",
        "right",
    ),
    (
        "Ai là người nhận giải thưởng?",
        ["Lan", "Hùng"],
        "Giải thưởng năm nay thuộc về Lan và Hùng. Ngoài ra, công ty tặng giấy khen cho Minh.",
        "right",
    ),
    (
        "Những sản phẩm nào bị thu hồi?",
        ["Sữa A1", "Sữa B2"],
        "Danh sách thu hồi:\n1. Sữa A1 (lô 0324)\n2. Sữa B2 (lô 0424)\n\nTổng cộng: 2 sản phẩm.",
        "right",
    ),
    ("Các nước thành viên sáng lập?", ["Pháp", "Đức", "Ý"], "Pháp, Đức, Ý và Bỉ", "wrong"),
    (
        "Phim chiếu ở những rạp nào?",
        ["CGV", "Lotte"],
        "Phim đang chiếu tại CGV, Lotte (chỉ suất tối). BHD đã ngừng chiếu.",
        "right",
    ),
    ("Những chuyến bay nào bị hủy?", ["VN101", "VJ202"], "**Bị hủy:** VN101, VJ202\n**Bị hoãn:** QH303", "right"),
    ("Những chuyến bay nào bị hoãn?", ["VN101", "VJ202"], "**Bị hủy:** VN101, VJ202\n**Bị hoãn:** QH303", "wrong"),
    (
        "Những mặt hàng nào được giảm thuế VAT?",
        ["Phân bón", "Thực phẩm"],
        "Hai nhóm được giảm thuế VAT: phân bón và thực phẩm. Rượu bia, thuốc lá không thuộc diện này.",
        "right",
    ),
    (
        "Những ga nào tàu dừng?",
        ["Vinh", "Huế"],
        "Tàu dừng tại:\n- Vinh: 23h10\n- Huế: 5h40\nTàu không dừng tại Đồng Hới.",
        "right",
    ),
    ("Ai vắng mặt hôm nay?", ["Tuấn", "Hà"], "Có mặt: An, Bình, Chi\nVắng mặt: Tuấn, Hà", "right"),
    ("Ai vắng mặt hôm nay?", ["An", "Bình", "Chi"], "Có mặt: An, Bình, Chi\nVắng mặt: Tuấn, Hà", "wrong"),
    (
        "Những lớp nào còn chỗ?",
        ["Yoga", "Zumba"],
        "| Lớp | Còn chỗ |\n|---|---|\n| Yoga | 3 |\n| Pilates | 0 |\n| Zumba | 5 |\n\n"
        "Vậy bạn có thể đăng ký Yoga hoặc Zumba.",
        "right",
    ),
    (
        "Những ngày nào trời mưa tuần này?",
        ["Thứ Ba", "Thứ Sáu"],
        "Dự báo có mưa vào thứ Ba và thứ Sáu, các ngày còn lại nắng.",
        "right",
    ),
    ("Các nước nào thắng?", ["Lào", "Nepal"], "Kết quả: Lào thắng Brunei 2-1, Nepal thắng Macau 3-0.", "right"),
    (
        "Những ai chưa nộp báo cáo tuần?",
        ["Tú", "Linh"],
        (
            "Tình hình nộp báo cáo tuần:\n\n1. An – đã nộp\n2. Tú – **chưa nộp**\n3. Bình – đã nộp\n4. Linh "
            "– **chưa nộp**"
        ),
        "right",
    ),
    (
        "Những ai chưa nộp báo cáo tuần?",
        ["Tú", "Linh"],
        ("Tình hình nộp báo cáo tuần:\n\n1. An – đã nộp\n2. Tú – chưa nộp\n3. Bình – chưa nộp\n4. Linh – chưa nộp"),
        "wrong",
    ),
    (
        "Những ai đã nộp báo cáo tuần?",
        ["An", "Bình"],
        "- An: đã nộp\n- Tú: chưa nộp\n- Bình: đã nộp\n- Linh: chưa nộp",
        "right",
    ),
    (
        "Những quỹ nào có lợi suất dương trong tháng 1?",
        ["VFA", "TBF"],
        (
            "| Quỹ | Lợi suất tháng 1 |\n|---|---|\n| VFA | +1,2% |\n| MCE | -0,4% |\n| TBF | +0,6% "
            "|\n\nNhư vậy các quỹ có lợi suất dương là VFA và TBF."
        ),
        "right",
    ),
    (
        "Những quỹ nào có lợi suất dương trong tháng 1?",
        ["VFA", "TBF"],
        (
            "| Quỹ | Lợi suất tháng 1 |\n|---|---|\n| VFA | +1,2% |\n| MCE | -0,4% |\n| TBF | +0,6% "
            "|\n\nCác quỹ có lợi suất dương: **VFA, MCE**."
        ),
        "wrong",
    ),
    (
        "Những phòng ban nào làm việc sáng thứ Bảy?",
        ["Phòng Kế toán", "Phòng Kinh doanh"],
        "Sáng thứ Bảy, **Phòng Kế toán** và **Phòng Kinh doanh** làm việc. Các phòng còn lại nghỉ.",
        "right",
    ),
    (
        "Những phòng ban nào làm việc sáng thứ Bảy?",
        ["Phòng Kế toán", "Phòng Kinh doanh"],
        "Sáng thứ Bảy, Phòng Kế toán và Phòng Nhân sự làm việc đến 11h30.",
        "wrong",
    ),
    (
        "Ba tỉnh nào có sản lượng cà phê lớn nhất?",
        ["Đắk Lắk", "Lâm Đồng", "Đắk Nông"],
        (
            "Năm 2025, ba tỉnh dẫn đầu về sản lượng cà phê là Đắk Lắk, Lâm Đồng và Đắk Nông. Gia Lai cũng "
            "có sản lượng đáng kể nhưng xếp thứ tư."
        ),
        "right",
    ),
    (
        "Ba tỉnh nào có sản lượng cà phê lớn nhất?",
        ["Đắk Lắk", "Lâm Đồng", "Đắk Nông"],
        "Ba tỉnh dẫn đầu:\n1. Đắk Lắk – 520.000 tấn\n2. Lâm Đồng – 515.000 tấn\n3. Gia Lai – 260.000 tấn",
        "wrong",
    ),
    (
        "Những tuyến xe buýt nào dừng ở bến Yên Nghĩa?",
        ["01", "57", "E03"],
        (
            "Các tuyến dừng tại bến Yên Nghĩa: 01, 57 và E03. Tuyến 22 có được nhắc tới trên bảng cũ nhưng "
            "không còn dừng ở đây."
        ),
        "right",
    ),
    (
        "Những tuyến xe buýt nào dừng ở bến Yên Nghĩa?",
        ["01", "57", "E03"],
        "Tại bến Yên Nghĩa có các tuyến 01, 57. Tuyến 02 cũng dừng ở đây.",
        "wrong",
    ),
    (
        "Những món nào trong thực đơn là món chay?",
        ["Đậu hũ kho nấm", "Gỏi ngó sen"],
        (
            "| Món | Loại | Giá |\n|---|---|---|\n| Đậu hũ kho nấm | Chay | 45.000 |\n| Cá lóc nướng | Mặn "
            "| 120.000 |\n| Gỏi ngó sen | Chay | 55.000 |"
        ),
        "right",
    ),
    (
        "Những món nào trong thực đơn là món chay?",
        ["Đậu hũ kho nấm", "Gỏi ngó sen"],
        (
            "Thực đơn có các món chay sau:\n- Đậu hũ kho nấm (45.000đ)\n- Gỏi ngó sen (55.000đ)\n- Canh "
            "rong biển (35.000đ)"
        ),
        "wrong",
    ),
    (
        "Máy chủ nào đang ngừng hoạt động?",
        ["db-02", "web-05"],
        (
            "Kết quả kiểm tra:\n- `db-01`: hoạt động\n- `db-02`: ngừng hoạt động\n- `web-04`: hoạt động\n- "
            "`web-05`: ngừng hoạt động"
        ),
        "right",
    ),
    (
        "Máy chủ nào đang ngừng hoạt động?",
        ["db-02"],
        (
            "Kết quả kiểm tra:\n- `db-01`: hoạt động\n- `db-02`: ngừng hoạt động\n- `web-04`: hoạt động\n- "
            "`web-05`: ngừng hoạt động"
        ),
        "wrong",
    ),
    (
        "Đội tuyển nào vào bán kết?",
        ["Việt Nam", "Thái Lan", "Indonesia", "Malaysia"],
        ("Bốn đội vào bán kết gồm Việt Nam, Thái Lan, Indonesia và Malaysia; Philippines và Singapore bị loại."),
        "right",
    ),
    (
        "Đội tuyển nào vào bán kết?",
        ["Việt Nam", "Thái Lan", "Indonesia", "Malaysia"],
        ("Bốn đội vào bán kết gồm Việt Nam, Thái Lan, Indonesia và Philippines. Malaysia bị loại ở vòng bảng."),
        "wrong",
    ),
    (
        "Các thành viên nào vắng mặt trong cuộc họp ngày 12/3?",
        ["Chị Hoa", "Anh Dũng"],
        "Ngày 12/3, cuộc họp có 8 người tham dự. Vắng mặt: chị Hoa (ốm), anh Dũng (công tác).",
        "right",
    ),
    (
        "Những khoản nào được giảm trừ khi tính thuế?",
        ["Bảo hiểm xã hội", "Giảm trừ gia cảnh"],
        (
            "Khi tính thuế TNCN, hai khoản được giảm trừ là **bảo hiểm xã hội** và **giảm trừ gia cảnh**. "
            "Tiền thuê nhà và tiền ăn thì không được giảm trừ."
        ),
        "right",
    ),
    (
        "Những khoản nào được giảm trừ khi tính thuế?",
        ["Bảo hiểm xã hội", "Giảm trừ gia cảnh"],
        "Các khoản được giảm trừ gồm: bảo hiểm xã hội, giảm trừ gia cảnh và tiền thuê nhà.",
        "wrong",
    ),
    (
        "Những học sinh nào chưa đóng học phí?",
        ["Minh", "Khánh"],
        (
            "Danh sách đóng học phí:\n- Minh: chưa đóng\n- Thảo: đã đóng 12/9\n- Khánh: chưa đóng\n- Vy: đã "
            "đóng 10/9\n\nBạn nên nhắc phụ huynh trước ngày 20/9."
        ),
        "right",
    ),
    (
        "Những học sinh nào chưa đóng học phí?",
        ["Minh", "Khánh"],
        "Danh sách đóng học phí:\n- Minh: đã đóng\n- Thảo: chưa đóng\n- Khánh: chưa đóng\n- Vy: đã đóng",
        "wrong",
    ),
    (
        "Các chi nhánh nào có lãi trong quý 2?",
        ["Huế", "Cần Thơ"],
        (
            "| Chi nhánh | Lợi nhuận quý 2 |\n|---|---|\n| Huế | 1,2 tỷ |\n| Vinh | -0,3 tỷ |\n| Cần Thơ | "
            "0,8 tỷ |\n\n➡️ Các chi nhánh có lãi: Huế, Cần Thơ."
        ),
        "right",
    ),
    (
        "Các chi nhánh nào có lãi trong quý 2?",
        ["Huế", "Cần Thơ"],
        (
            "| Chi nhánh | Lợi nhuận quý 2 |\n|---|---|\n| Huế | 1,2 tỷ |\n| Vinh | -0,3 tỷ |\n| Cần Thơ | "
            "0,8 tỷ |\n\nVậy có hai chi nhánh có lãi là Huế và Vinh."
        ),
        "wrong",
    ),
    (
        "Tối Chủ nhật có những chương trình nào phát sóng?",
        ["Ca nhạc Mùa thu", "Thời sự 19h"],
        "Tối Chủ nhật, kênh phát sóng **Ca nhạc Mùa thu** và **Thời sự 19h**.",
        "right",
    ),
    (
        "Những nhà cung cấp nào giao hàng đúng hạn?",
        ["An Khang", "Bảo Tín"],
        "Trong tháng 3, An Khang và Bảo Tín giao hàng đúng hạn. Đại Phát cũng giao đúng hạn toàn bộ đơn.",
        "wrong",
    ),
    (
        "Những nhà cung cấp nào giao hàng đúng hạn?",
        ["An Khang", "Bảo Tín"],
        "1. An Khang – đúng hạn\n2. Đại Phát – trễ 2 ngày\n3. Bảo Tín – đúng hạn",
        "right",
    ),
    (
        "Những loại giấy tờ nào cần nộp?",
        ["CCCD", "Sổ hộ khẩu"],
        "Bạn cần nộp:\n1. CCCD (bản sao)\n2. Sổ hộ khẩu (bản sao)\n3. Giấy khai sinh",
        "wrong",
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
    (
        "What languages does she speak?",
        ["English", "French"],
        "She speaks English fluently and French at an intermediate level.",
        "right",
    ),
    ("What languages does she speak?", ["English", "French"], "She speaks English, French and some Thai.", "wrong"),
    (
        "Which files changed?",
        ["a.py", "b.py"],
        "Changed files:\n\n- `a.py` (+12 −3)\n- `b.py` (+1 −1)\n\nUnchanged:\n- `c.py`",
        "right",
    ),
    (
        "Which files changed?",
        ["a.py", "b.py", "c.py"],
        "Changed files:\n\n- `a.py` (+12 −3)\n- `b.py` (+1 −1)\n\nUnchanged:\n- `c.py`",
        "wrong",
    ),
    (
        "Which regions missed the target?",
        ["North", "West"],
        "| Region | Target | Actual | Status |\n|---|---|---|---|\n| North | 10 | 8 | Missed |\n"
        "| South | 10 | 12 | Met |\n| West | 9 | 7 | Missed |",
        "right",
    ),
    (
        "Which allergens does it contain?",
        ["Milk", "Soy"],
        "Contains milk and soy. May contain traces of nuts.",
        "right",
    ),
    ("Which allergens does it contain?", ["Milk", "Soy", "Nuts"], "Contains milk and soy. Free from nuts.", "wrong"),
    (
        "Name the candidates.",
        ["Jane Doe", "Max Roe"],
        "The candidates are:\n\n**Jane Doe** – incumbent, Democrat\n\n**Max Roe** – challenger, Republican",
        "right",
    ),
    (
        "Which colors are available?",
        ["Black", "Silver"],
        "Available colors: Black, Silver. (Gold is discontinued.)",
        "right",
    ),
    (
        "Who are the co-founders?",
        ["Larry Page", "Sergey Brin"],
        "Google was co-founded by Larry Page and Sergey Brin while they were PhD students at Stanford.",
        "right",
    ),
    ("Who are the co-founders?", ["Larry Page", "Sergey Brin"], "Larry Page, together with Sergey Brin.", "right"),
    (
        "Which days is the clinic closed?",
        ["Saturday", "Sunday"],
        "The clinic is open Monday to Friday and closed on Saturday and Sunday.",
        "right",
    ),
    (
        "Which teams qualified?",
        ["Brazil", "Japan"],
        "Brazil qualified first; Japan followed. Chile did not qualify.",
        "right",
    ),
    (
        "Which vendors responded?",
        ["Acme", "Zeta"],
        "Of the four vendors, only two responded: Acme and Zeta. We're still waiting for Kappa and Omega.",
        "right",
    ),
    (
        "Which vendors responded?",
        ["Acme", "Zeta", "Kappa"],
        "Of the four vendors, only two responded: Acme and Zeta. We're still waiting for Kappa and Omega.",
        "wrong",
    ),
    ("Which tests failed?", ["test_a", "test_c"], "Results:\n✅ test_b\n❌ test_a\n❌ test_c", "right"),
    ("Which tests failed?", ["test_b"], "Results:\n✅ test_b\n❌ test_a\n❌ test_c", "wrong"),
    (
        "What are the primary colors?",
        ["Red", "Blue", "Yellow"],
        "The three primary colors are red, blue, and yellow; green is a secondary color.",
        "right",
    ),
    (
        "Which stops are wheelchair accessible?",
        ["Main St", "Harbor"],
        "| Stop | Accessible |\n|---|---|\n| Main St | ✅ |\n| Oak Ave | ❌ |\n| Harbor | ✅ |",
        "right",
    ),
    (
        "Which cities have a population above 5 million?",
        ["Hanoi", "Saigon"],
        "| City | Population (millions) |\n|---|---|\n| Hanoi | 8.4 |\n| Saigon | 9.3 |\n| Hue | 1.2 |",
        "right",
    ),
    ("Which sizes are sold out?", ["S", "XL"], "S and XL are sold out. M and L are still available.", "right"),
    ("Which sizes are sold out?", ["M", "L"], "S and XL are sold out. M and L are still available.", "wrong"),
    ("Who won gold?", ["Lee", "Kim"], "🥇 Gold: Lee, Kim\n🥈 Silver: Park", "right"),
    (
        "Which features are in the free plan?",
        ["Chat", "Search"],
        "**Free plan**: Chat, Search\n**Pro plan**: Chat, Search, API, SSO",
        "right",
    ),
    (
        "Which features are in the free plan?",
        ["Chat", "Search", "API"],
        "**Free plan**: Chat, Search\n**Pro plan**: Chat, Search, API, SSO",
        "wrong",
    ),
    (
        "Which planets have rings?",
        ["Jupiter", "Saturn", "Uranus", "Neptune"],
        "All four gas giants have rings: Jupiter, Saturn, Uranus, and Neptune. Earth and Mars have none.",
        "right",
    ),
    (
        "Which tasks are still open in sprint 14?",
        ["Login fix", "Audit log"],
        ("Sprint 14 status:\n\n1. Login fix – open\n2. Dark mode – done\n3. Audit log – open\n4. CSV export – done"),
        "right",
    ),
    (
        "Which tasks are still open in sprint 14?",
        ["Login fix", "Audit log"],
        ("Sprint 14 status:\n\n1. Login fix – done\n2. Dark mode – open\n3. Audit log – open\n4. CSV export – done"),
        "wrong",
    ),
    (
        "Which suppliers have not signed the new contract?",
        ["Brenner", "Oakline"],
        ("- Alto Foods — signed 3 Feb\n- Brenner — not signed\n- Cask & Co — signed 5 Feb\n- Oakline — not signed yet"),
        "right",
    ),
    (
        "Which suppliers have signed the new contract?",
        ["Brenner", "Oakline"],
        ("- Alto Foods — signed 3 Feb\n- Brenner — not signed\n- Cask & Co — signed 5 Feb\n- Oakline — not signed yet"),
        "wrong",
    ),
    (
        "Which files does the patch modify?",
        ["app/main.py", "app/db.py"],
        (
            "The patch modifies two files:\n\n- `app/main.py`\n- `app/db.py`\n\n`setup.cfg` is also "
            "mentioned in the description, but it isn't changed."
        ),
        "right",
    ),
    (
        "Which files does the patch modify?",
        ["app/main.py", "app/db.py"],
        ("The patch modifies:\n\n- `app/main.py`\n- `app/db.py`\n\n`setup.cfg` is also changed (version bump)."),
        "wrong",
    ),
    (
        "Which stores were profitable in May?",
        ["Leeds", "York"],
        (
            "| Store | Profit in May |\n|---|---|\n| Leeds | £4,100 |\n| Hull | -£900 |\n| York | £2,350 "
            "|\n\nSo the profitable stores were **Leeds** and **York**."
        ),
        "right",
    ),
    (
        "Which stores were profitable in May?",
        ["Leeds", "York"],
        (
            "| Store | Profit in May |\n|---|---|\n| Leeds | £4,100 |\n| Hull | -£900 |\n| York | £2,350 "
            "|\n\nThe profitable stores in May: Leeds, Hull and York."
        ),
        "wrong",
    ),
    (
        "Which of the four candidates passed the exam?",
        ["Ines", "Tomas"],
        "On Friday afternoon, Ines and Tomas passed the exam. Greta and Paul will resit in June.",
        "right",
    ),
    (
        "Which of the four candidates passed the exam?",
        ["Ines", "Tomas"],
        "Ines and Tomas passed the exam. Greta also passed after the regrade.",
        "wrong",
    ),
    (
        "Which languages does the Voxa app support?",
        ["English", "Spanish", "German"],
        ("Voxa currently supports English, Spanish and German. French support is planned for later this year."),
        "right",
    ),
    (
        "Which languages does the Voxa app support?",
        ["English", "Spanish", "German"],
        "Voxa supports three languages: English, Spanish, and French.",
        "wrong",
    ),
    (
        "Which two airports in Japan had flights cancelled?",
        ["Narita", "Kansai"],
        "Flights were cancelled at Narita and Kansai; Haneda saw delays only.",
        "right",
    ),
    (
        "Which two airports in Japan had flights cancelled?",
        ["Narita", "Kansai"],
        (
            "The airports with cancelled flights were **Haneda** and **Kansai**. Narita reported delays but "
            "no cancellations."
        ),
        "wrong",
    ),
    (
        "Which ingredients in the recipe contain gluten?",
        ["Flour", "Soy sauce"],
        (
            "Ingredients:\n- Flour (contains gluten)\n- Rice noodles (gluten-free)\n- Soy sauce (contains "
            "gluten)\n- Eggs (gluten-free)\n\nSo the gluten-containing ingredients are flour and soy sauce."
        ),
        "right",
    ),
    (
        "Which services were affected by the outage?",
        ["Checkout", "Search"],
        "Affected services: Checkout, Search. Not affected: Login, Profile, Notifications.",
        "right",
    ),
    (
        "Which services were affected by the outage?",
        ["Checkout", "Search"],
        "Two services were affected by the outage: Checkout and Notifications. Search stayed up throughout.",
        "wrong",
    ),
    (
        "Which quarters of 2025 showed revenue growth?",
        ["Q1", "Q3"],
        ("| Quarter | Revenue growth |\n|---|---|\n| Q1 | +4.1% |\n| Q2 | -1.3% |\n| Q3 | +2.2% |\n| Q4 | -0.5% |"),
        "right",
    ),
    (
        "Who attended the kickoff meeting?",
        ["Lena Brandt", "Omar Said", "Kay Wu"],
        "In attendance were Lena Brandt, Omar Said, and Kay Wu. Jordan Pike sent apologies.",
        "right",
    ),
    (
        "Who attended the kickoff meeting?",
        ["Lena Brandt", "Omar Said", "Kay Wu"],
        "Lena Brandt and Omar Said attended the kickoff meeting. Kay Wu was absent.",
        "wrong",
    ),
    (
        "Which regions missed their sales target?",
        ["North", "Coastal"],
        (
            "| Region | Target | Status |\n|---|---|---|\n| North | 200 | Missed |\n| South | 180 | Met "
            "|\n| Coastal | 150 | Missed |"
        ),
        "right",
    ),
    (
        "Which regions missed their sales target?",
        ["North", "Coastal"],
        "- North — missed (92%)\n- South — missed (97%)\n- Coastal — missed (88%)\n- Inland — met (103%)",
        "wrong",
    ),
    (
        "Which tests failed in build 512?",
        ["test_login", "test_cart"],
        (
            "Build 512 results:\n\n- `test_login` – failed\n- `test_search` – passed\n- `test_cart` – "
            "failed\n- `test_profile` – passed"
        ),
        "right",
    ),
    (
        "Which tests failed in build 512?",
        ["test_login", "test_cart"],
        "In build 512, `test_login` and `test_search` failed. `test_cart` passed on retry.",
        "wrong",
    ),
    (
        "Which countries abstained?",
        ["India", "Brazil"],
        "Last Thursday, India and Brazil abstained. China voted against the resolution.",
        "right",
    ),
    (
        "Which countries abstained?",
        ["India", "Brazil"],
        "India, Brazil and South Africa abstained, while China voted against.",
        "wrong",
    ),
    (
        "Which printers are offline?",
        ["P-02", "P-07"],
        "Printer status:\n1. P-01: online\n2. P-02: offline\n3. P-05: online\n4. P-07: offline",
        "right",
    ),
    (
        "Which plans include priority support?",
        ["Team", "Enterprise"],
        (
            "Priority support is included in the Team and Enterprise plans. The Solo plan also lists it as "
            "an add-on, but it isn't included."
        ),
        "right",
    ),
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


def listed(question: str, items: list[str], output: str, locale: Locale = "en") -> str | None:
    return prepare({"type": "list", "value": [*items]}, locale=locale, question=question)(output).verdict


def test_an_entry_may_hold_two_items() -> None:
    output = "- Arland (north)\n- Borland and Corland (east)\n- Dorland (west)"
    question = "Which countries border Erland?"
    assert listed(question, ["Arland", "Borland", "Corland", "Dorland"], output) == "right"
    assert listed(question, ["Arland", "Borland", "Dorland"], output) == "wrong"
    assert listed(question, ["Arland", "Borland and Corland", "Dorland"], output) == "right"


def test_how_many_there_are_is_no_item() -> None:
    output = "Danh mục của anh gồm 5 mã. Sao Mai (SMA) đang lỗ 4,1% và Hoa Tiên (HTI) lỗ 2,3%. Các mã khác đều có lãi."
    assert listed("Những mã nào đang lỗ?", ["SMA", "HTI"], output, "vi") == "right"
    assert listed("Những mã nào đang lỗ?", ["SMA", "FPT"], output, "vi") == "wrong"


def test_what_is_said_of_all_items_picks_none() -> None:
    rows = "| Firm | Result |\n|---|---|\n| Acme | Beat |\n| Northwind | Beat |\n| Globex | Beat |"
    output = f"{rows}\n\nAll three topped estimates, though Acme and Globex shares fell."
    question = "Which firms beat estimates?"
    assert listed(question, ["Acme", "Northwind", "Globex"], output) == "right"
    assert listed(question, ["Acme", "Globex"], output) == "wrong"


def test_a_block_with_as_many_items_as_asked_is_preferred() -> None:
    output = "The final takes place in Riverton. The two finalists are Leeds United and Porto."
    assert listed("Which two teams are in the final?", ["Leeds United", "Porto"], output) == "right"
    assert listed("Which two teams are in the final?", ["Riverton", "Porto"], output) == "wrong"


def test_quantities_and_kinds_before_an_item_do_not_change_it() -> None:
    output = "1. Đơn đề nghị (mẫu HR-07)\n2. Bản sao căn cước công dân\n3. Một ảnh 3x4"
    items = ["đơn đề nghị", "bản sao căn cước công dân", "ảnh 3x4"]
    assert listed("Hồ sơ gồm những giấy tờ gì?", items, output, "vi") == "right"
