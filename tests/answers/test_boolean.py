"""Answers that say yes or no in the ways people do, judged before they were run."""

from __future__ import annotations

import pytest

from toolgauge.answers import prepare
from toolgauge.locale import Locale

Judged = tuple[str, bool, str, str]
"""A question, what it should be answered with, an answer, and what it is worth."""

VIETNAMESE: list[Judged] = [
    (
        "Tôi có được đổi vé sau khi thanh toán không?",
        True,
        "Được ạ, bạn đổi tối đa một lần trước giờ bay 3 tiếng.",
        "right",
    ),
    ("Tôi có được đổi vé sau khi thanh toán không?", False, "Được chứ. Phí đổi là 350.000đ.", "wrong"),
    ("Tôi có được hoàn vé khuyến mãi không?", False, "Không được. Vé khuyến mãi chỉ được đổi tên.", "right"),
    ("Tôi có được hoàn vé khuyến mãi không?", True, "Rất tiếc, vé khuyến mãi không được hoàn.", "wrong"),
    (
        "Hồ sơ của tôi có đủ điều kiện vay không?",
        False,
        "Chưa đủ điều kiện. Bạn còn thiếu sao kê lương 3 tháng.",
        "right",
    ),
    (
        "Hồ sơ của tôi có đủ điều kiện vay không?",
        True,
        "Hồ sơ của bạn **đủ điều kiện**. Ngân hàng sẽ giải ngân trong 5 ngày.",
        "right",
    ),
    ("Hồ sơ của tôi có đủ điều kiện vay không?", True, "Hồ sơ của bạn không đủ điều kiện vì nợ nhóm 3.", "wrong"),
    ("Mẫu áo này còn size M không?", True, "Còn hàng bạn nhé! Size M còn 4 chiếc, size L thì hết.", "right"),
    ("Mẫu áo này còn size M không?", False, "Dạ hết hàng rồi ạ. Size S và L thì còn.", "right"),
    ("Mẫu áo này còn size M không?", True, "Size M đã hết từ tuần trước, chỉ còn size S.", "wrong"),
    ("Thư viện có mở cửa Chủ nhật không?", True, "Thư viện vẫn mở cửa Chủ nhật, từ 8h đến 12h.", "right"),
    ("Thư viện có mở cửa Chủ nhật không?", False, "Chủ nhật thư viện đóng cửa, các ngày khác mở từ 8h.", "right"),
    ("Thư viện có mở cửa Chủ nhật không?", True, "Chủ nhật thư viện đóng cửa, các ngày khác mở từ 8h.", "wrong"),
    ("Hóa đơn tháng 5 đã thanh toán chưa?", True, "Rồi ạ, thanh toán ngày 02/06 qua chuyển khoản.", "right"),
    ("Hóa đơn tháng 5 đã thanh toán chưa?", True, "Đã thanh toán ngày 02/06.", "right"),
    (
        "Hóa đơn tháng 5 đã thanh toán chưa?",
        False,
        "Hóa đơn tháng 5 vẫn chưa được thanh toán. Hóa đơn tháng 4 thì đã thanh toán đủ.",
        "right",
    ),
    ("Hóa đơn tháng 5 đã thanh toán chưa?", True, "Vẫn chưa. Kế toán hẹn thứ Sáu.", "wrong"),
    ("Trẻ 5 tuổi có cần mua vé không?", False, "Không cần mua vé, trẻ dưới 6 tuổi được miễn phí.", "right"),
    ("Trẻ 5 tuổi có cần mua vé không?", True, "Cần. Trẻ từ 3 tuổi phải có vé riêng.", "right"),
    ("Xe máy có phải mua bảo hiểm bắt buộc không?", True, "Phải mua. Mức phí là 66.000 đồng/năm.", "right"),
    ("Tòa nhà có được phép hút thuốc không?", False, "Tòa nhà cấm hút thuốc ở mọi tầng.", "right"),
    ("Tòa nhà có được phép hút thuốc không?", True, "Không được phép, kể cả ngoài ban công.", "wrong"),
    ("Ngày mai Đà Lạt có mưa không?", True, "Có thể, nhưng không chắc. Xác suất khoảng 50%.", "ambiguous"),
    ("Ngày mai Đà Lạt có mưa không?", True, "Khó nói trước, còn tùy hướng gió.", "ambiguous"),
    ("Ngày mai Đà Lạt có mưa không?", True, "Tôi không có dữ liệu thời tiết nên không thể trả lời.", "wrong"),
    ("Tôi có thể trả góp không?", True, "Có thể bạn nhé, trả góp 6 hoặc 12 tháng.", "right"),
    ("Sao Hỏa có hai mặt trăng, đúng không?", True, "Đúng vậy, đó là Phobos và Deimos.", "right"),
    (
        "Người Việt không cần visa vào Thái Lan, đúng không?",
        True,
        "Đúng, bạn không cần visa nếu ở dưới 30 ngày.",
        "right",
    ),
    ("Người Việt không cần visa vào Thái Lan, đúng không?", True, "Không đúng, từ năm nay bạn phải xin visa.", "wrong"),
    (
        "Cà chua có phải là trái cây không?",
        True,
        "Nhiều người nghĩ là không, nhưng thực ra có: về thực vật học cà chua là quả mọng.",
        "right",
    ),
    (
        "Chuyến VN123 có bị hoãn không?",
        False,
        "Chuyến VN123 khởi hành đúng giờ. Chuyến VN125 thì bị hoãn 2 tiếng.",
        "right",
    ),
    (
        "Chuyến VN123 có bị hoãn không?",
        True,
        "VN123 bị hoãn 2 tiếng do thời tiết; các chuyến khác không bị ảnh hưởng.",
        "right",
    ),
    (
        "Công ty có lãi trong quý III không?",
        True,
        "Có. À, xin lỗi, mình nhìn nhầm quý II. Đính chính: không, quý III công ty lỗ 12 tỷ.",
        "wrong",
    ),
    (
        "Công ty có lãi trong quý III không?",
        False,
        "Quý III công ty lỗ 12 tỷ đồng, trong khi quý II lãi 30 tỷ.",
        "right",
    ),
    (
        "Phần mềm này có hỗ trợ tiếng Việt không?",
        True,
        "Phần mềm hỗ trợ tiếng Việt từ bản 2.1. Tiếng Lào thì chưa.",
        "right",
    ),
    ("Phần mềm này có hỗ trợ tiếng Việt không?", True, "Hiện phần mềm chưa hỗ trợ tiếng Việt.", "wrong"),
    (
        "Giá phòng có bao gồm bữa sáng không?",
        False,
        "Bữa sáng tính phí riêng 150.000đ/người, không bao gồm trong giá phòng.",
        "right",
    ),
    (
        "Giá phòng có bao gồm bữa sáng không?",
        True,
        "Giá phòng đã bao gồm bữa sáng cho 2 người. Đưa đón sân bay không bao gồm.",
        "right",
    ),
    ("Học sinh này có đỗ không?", False, "Em trượt với 21,5 điểm; điểm chuẩn là 22.", "right"),
    ("Thẻ của tôi còn hiệu lực không?", False, "Thẻ của bạn đã hết hiệu lực từ 31/12/2024.", "right"),
    ("Thẻ của tôi còn hiệu lực không?", True, "Thẻ còn hiệu lực đến 31/12/2027.", "right"),
    ("Nước này có uống trực tiếp được không?", False, "Chưa uống trực tiếp được, bạn nên đun sôi.", "right"),
    ("Nước này có uống trực tiếp được không?", True, "Uống được ngay tại vòi.", "right"),
    ("Có nên bán cổ phiếu lúc này không?", True, "Nên bán. Giá đã vượt mục tiêu.", "right"),
    ("Tin đồn công ty phá sản có đúng không?", False, "Sai hoàn toàn. Công ty vẫn hoạt động bình thường.", "right"),
    (
        "Xe điện có được miễn phí trước bạ không?",
        True,
        "Theo Nghị định 51, xe điện chạy pin được miễn lệ phí trước bạ đến hết 2027. Xe hybrid không được miễn.",
        "right",
    ),
    ("Cửa hàng còn tuyển nhân viên không?", False, "Cửa hàng không còn tuyển nữa bạn nhé.", "right"),
    ("Dự án đã được phê duyệt chưa?", False, "Dự án đang chờ thẩm định, dự kiến tháng 8 mới có quyết định.", "right"),
    ("Dự án đã được phê duyệt chưa?", False, "Có người nói dự án đã được phê duyệt, nhưng thực tế là chưa.", "right"),
    ("Nhà hàng có chỗ đậu xe hơi không?", True, "Dạ có, bãi xe ở tầng hầm, miễn phí 2 giờ đầu.", "right"),
    (
        "Sân bay Côn Đảo có khai thác bay đêm không?",
        False,
        "Hiện sân bay Côn Đảo chưa khai thác bay đêm do thiếu hệ thống đèn.",
        "right",
    ),
    ("Đơn hàng 8812 đã giao chưa?", True, "Đơn 8812 đã được giao lúc 10:15 sáng nay, người nhận ký tên Lan.", "right"),
    ("Đơn hàng 8812 đã giao chưa?", True, "Đơn 8812 đang trên đường giao, dự kiến chiều nay.", "wrong"),
    (
        "Tôi có bị phạt nếu nộp tờ khai trễ 5 ngày không?",
        False,
        "Trễ từ 1 đến 5 ngày và có tình tiết giảm nhẹ thì chỉ bị cảnh cáo, không bị phạt tiền.",
        "right",
    ),
    ("Vé này có hoàn được không?", False, "Vé hạng Siêu tiết kiệm không hoàn, không đổi.", "right"),
    ("Laptop này có nâng cấp RAM được không?", True, "Máy có 2 khe RAM nên bạn nâng cấp được tối đa 32 GB.", "right"),
    ("Laptop này có nâng cấp RAM được không?", True, "RAM hàn chết trên bo mạch nên không nâng cấp được.", "wrong"),
    (
        "Công ty ABC có nợ thuế không?",
        False,
        "Theo danh sách công khai, ABC không có tên trong các doanh nghiệp nợ thuế.",
        "right",
    ),
    ("Trường có nhận học sinh trái tuyến không?", True, "Trường có nhận, nhưng chỉ khi còn chỉ tiêu.", "right"),
    ("Mèo có ăn được sô-cô-la không?", False, "Tuyệt đối không! Sô-cô-la chứa theobromine gây độc cho mèo.", "right"),
    ("Phí này có VAT chưa?", True, "Giá trên đã bao gồm VAT 10%.", "right"),
    ("Phí này có VAT chưa?", False, "Giá trên chưa gồm VAT.", "right"),
    (
        "Ngày 2/9 siêu thị có mở cửa không?",
        True,
        "Siêu thị vẫn hoạt động bình thường ngày 2/9, chỉ đóng cửa sớm lúc 18h.",
        "right",
    ),
    ("Thuốc này có dùng cho bà bầu được không?", False, "Chống chỉ định với phụ nữ mang thai.", "right"),
    ("Bạn có chắc GDP năm 2024 tăng trên 7% không?", True, "Chắc chắn. GDP năm 2024 tăng 7,09%.", "right"),
    (
        "Chung cư có cho nuôi chó không?",
        False,
        "Ban quản lý không cho phép nuôi chó trong căn hộ; mèo thì được.",
        "right",
    ),
    (
        "Chung cư có cho nuôi chó không?",
        True,
        "Ban quản lý không cho phép nuôi chó trong căn hộ; mèo thì được.",
        "wrong",
    ),
    ("Anh ấy có còn làm ở công ty không?", False, "Anh ấy đã nghỉ việc từ tháng 3.", "right"),
    (
        "Hợp đồng có hiệu lực ngay sau khi ký không?",
        False,
        "Không ngay. Hợp đồng chỉ có hiệu lực sau khi công chứng.",
        "right",
    ),
    ("Tài khoản của tôi có bị khóa không?", False, "Tài khoản của bạn đang hoạt động bình thường.", "right"),
    (
        "Tài khoản của tôi có bị khóa không?",
        True,
        "Tài khoản của bạn đã bị khóa lúc 9h do nhập sai mật khẩu 5 lần.",
        "right",
    ),
    ("Sinh viên có được giảm giá vé không?", True, "Sinh viên được giảm 50% khi xuất trình thẻ.", "right"),
    ("Sinh viên có được giảm giá vé không?", True, "Vé này không áp dụng giảm giá cho sinh viên.", "wrong"),
    (
        "Bitcoin có được coi là phương tiện thanh toán hợp pháp ở Việt Nam không?",
        False,
        "Theo Ngân hàng Nhà nước, Bitcoin không phải là phương tiện thanh toán hợp pháp tại Việt Nam.",
        "right",
    ),
    ("Có phải Nguyễn Du viết Truyện Kiều không?", True, "Phải. Nguyễn Du viết Truyện Kiều vào đầu thế kỷ 19.", "right"),
    (
        "Có phải Nguyễn Trãi viết Truyện Kiều không?",
        False,
        "Truyện Kiều là của Nguyễn Du, không phải Nguyễn Trãi.",
        "right",
    ),
    ("Lạm phát tháng 6 có vượt 4% không?", False, "Lạm phát tháng 6 ở mức 3,6%, dưới ngưỡng 4%.", "right"),
    ("Lạm phát tháng 6 có vượt 4% không?", True, "CPI tháng 6 tăng 4,3%, vượt mức 4%.", "right"),
    ("Máy này còn bảo hành không?", True, "Máy vẫn còn bảo hành đến tháng 11/2026.", "right"),
    ("Máy này còn bảo hành không?", False, "Máy đã hết bảo hành từ tháng trước.", "right"),
    ("Giấy phép đã được cấp chưa?", False, "Hồ sơ mới được tiếp nhận, sở chưa cấp phép.", "right"),
    ("Giấy phép đã được cấp chưa?", True, "Giấy phép số 12/GP đã cấp ngày 4/3.", "right"),
    ("Uống cà phê buổi tối có gây mất ngủ không?", True, "Tùy cơ địa từng người.", "ambiguous"),
    (
        "Bảo hiểm có chi trả phẫu thuật thẩm mỹ không?",
        False,
        "Phẫu thuật thẩm mỹ nằm trong danh mục loại trừ.",
        "right",
    ),
    (
        "Trận đấu tối nay có bị hoãn không?",
        True,
        "Ban tổ chức thông báo dời trận đấu sang ngày mai do mưa lớn.",
        "right",
    ),
    ("Cổ phiếu HAG có đang bị cảnh báo không?", False, "HAG đã được gỡ cảnh báo từ 12/2024.", "right"),
    ("Khách sạn có hồ bơi không?", True, "Khách sạn có hồ bơi ngoài trời ở tầng 5, phòng gym thì không.", "right"),
    ("Khách sạn có hồ bơi không?", False, "Rất tiếc khách sạn không có hồ bơi, chỉ có phòng gym.", "right"),
    (
        "Cửa hàng Minh Khai có giao hàng vào Chủ nhật không?",
        False,
        (
            "Lịch giao hàng của cửa hàng Minh Khai:\n\n- Thứ Hai đến thứ Sáu: 8h–20h\n- Thứ Bảy: 8h–12h\n- "
            "Chủ nhật: không giao\n\nBạn có thể đặt trước qua app."
        ),
        "right",
    ),
    (
        "Cửa hàng Minh Khai có giao hàng vào thứ Bảy không?",
        False,
        (
            "Lịch giao hàng của cửa hàng Minh Khai:\n\n- Thứ Hai đến thứ Sáu: 8h–20h\n- Thứ Bảy: 8h–12h\n- "
            "Chủ nhật: không giao"
        ),
        "wrong",
    ),
    (
        "Bảo tàng Sơn Trà có mở cửa thứ Hai không?",
        True,
        "| Ngày | Giờ |\n|---|---|\n| Thứ Hai | Đóng cửa |\n| Thứ Ba – Chủ nhật | 8:00–17:00 |",
        "wrong",
    ),
    (
        "Bảo tàng Sơn Trà có mở cửa thứ Hai không?",
        False,
        "Bảo tàng Sơn Trà mở cửa từ thứ Ba đến Chủ nhật, 8h–17h. Thứ Hai bảo tàng nghỉ để bảo trì.",
        "right",
    ),
    (
        "Đổi lịch bay trước 24 giờ có miễn phí không?",
        True,
        "Theo điều kiện vé, đổi lịch trước 24 giờ không mất phí; trong vòng 24 giờ thu 450.000 đồng.",
        "right",
    ),
    (
        "Đổi lịch bay trước 24 giờ có miễn phí không?",
        True,
        (
            "Vé của bạn thuộc hạng Tiết kiệm. Hạng này **vẫn bị tính phí 350.000 đồng** khi đổi lịch trước "
            "24 giờ, không miễn phí như hạng Linh hoạt."
        ),
        "wrong",
    ),
    (
        "Nhân viên thử việc có được nghỉ phép có lương không?",
        True,
        (
            "Điều 7 quy định phép năm áp dụng cho nhân viên chính thức. Nhân viên thử việc **chưa được nghỉ "
            "phép có lương**, chỉ được nghỉ không lương tối đa 2 ngày."
        ),
        "wrong",
    ),
    (
        "Nhân viên thử việc có được nghỉ phép có lương không?",
        False,
        "Phép năm dành cho nhân viên chính thức; người đang thử việc chưa thuộc diện áp dụng.",
        "right",
    ),
    (
        "Thu nhập 10 triệu/tháng có phải nộp thuế TNCN không nếu không có người phụ thuộc?",
        False,
        (
            "Mức giảm trừ bản thân là 11 triệu đồng/tháng. Thu nhập của bạn là 10 triệu, thấp hơn mức này, "
            "nên **bạn chưa phải nộp thuế**."
        ),
        "right",
    ),
    (
        "Thu nhập 10 triệu/tháng có phải nộp thuế TNCN không nếu không có người phụ thuộc?",
        True,
        ("Mức giảm trừ bản thân là 11 triệu đồng/tháng, cao hơn 10 triệu của bạn. ➡️ Không phát sinh thuế phải nộp."),
        "wrong",
    ),
    (
        "Đơn hàng DH-2041 đã được giao chưa?",
        False,
        (
            "Trạng thái đơn DH-2041:\n- 05/02: xuất kho\n- 06/02: đến bưu cục Hà Đông\n- 07/02: đang "
            "giao\n\nDự kiến khách nhận trong hôm nay."
        ),
        "right",
    ),
    (
        "Đơn hàng DH-2041 đã được giao chưa?",
        False,
        "Đơn DH-2041 được người nhận ký lúc 10h12 ngày 07/02, tức là đã giao thành công.",
        "wrong",
    ),
    (
        "Sinh viên năm nhất có được đăng ký ở ký túc xá không?",
        True,
        (
            "Ký túc xá ưu tiên sinh viên năm nhất và sinh viên diện chính sách. Bạn là sinh viên năm nhất "
            "nên đăng ký được, hạn đến 15/8."
        ),
        "right",
    ),
    (
        "Sinh viên năm nhất có được đăng ký ở ký túc xá không?",
        True,
        (
            "Có ký túc xá trong khuôn viên, tuy nhiên chỉ nhận sinh viên từ năm hai. Vì vậy sinh viên năm "
            "nhất **không đăng ký được**."
        ),
        "wrong",
    ),
    (
        "Quý 3 công ty Nam Việt có lãi không?",
        False,
        (
            "Báo cáo quý 3 của Nam Việt: doanh thu 120 tỷ đồng, chi phí 134 tỷ đồng. Kết quả là công ty "
            "**lỗ 14 tỷ đồng**."
        ),
        "right",
    ),
    (
        "Quý 3 công ty Nam Việt có lãi không?",
        False,
        (
            "Doanh thu quý 3 của Nam Việt giảm còn 120 tỷ đồng, nhưng nhờ cắt giảm chi phí công ty vẫn "
            "**lãi ròng 6 tỷ đồng**."
        ),
        "wrong",
    ),
    (
        "Gói cước Sinh viên có gồm data 5G không?",
        True,
        ("Gói Sinh viên gồm 60GB data 4G/tháng. Data 5G thì có ở gói Năng động trở lên, gói Sinh viên chưa hỗ trợ."),
        "wrong",
    ),
    (
        "Gói cước Sinh viên có gồm data 5G không?",
        True,
        "Gói Sinh viên gồm 60GB data/tháng, dùng được trên cả mạng 4G và 5G.",
        "right",
    ),
    (
        "Phòng khám Hồng Ngọc có khám vào chiều thứ Bảy không?",
        True,
        (
            "Lịch khám của phòng khám Hồng Ngọc:\n\n- Thứ Hai – thứ Sáu: 7h30–16h30\n- Thứ Bảy: chỉ buổi "
            "sáng, 7h30–11h30\n- Chủ nhật: nghỉ"
        ),
        "wrong",
    ),
    (
        "Máy in HP ở tầng 3 đã sửa xong chưa?",
        True,
        "Kỹ thuật đang chờ linh kiện, dự kiến thứ Năm mới sửa được máy in HP tầng 3.",
        "wrong",
    ),
    (
        "Cầu thủ Lê Văn Hải có ra sân trận gặp Hải Phòng không?",
        False,
        "HLV xác nhận Lê Văn Hải bị treo giò vì đủ 3 thẻ vàng nên sẽ vắng mặt trong trận gặp Hải Phòng.",
        "right",
    ),
    (
        "Cầu thủ Lê Văn Hải có ra sân trận gặp Hải Phòng không?",
        False,
        "HLV xác nhận Lê Văn Hải đã bình phục và sẽ đá chính trận gặp Hải Phòng.",
        "wrong",
    ),
    (
        "Hồ bơi của khách sạn Biển Xanh có mở cửa buổi tối không?",
        False,
        "Hồ bơi khách sạn Biển Xanh phục vụ từ 6h đến 18h hằng ngày, sau giờ này hồ đóng cửa để vệ sinh.",
        "right",
    ),
    (
        "Tháng 2/2026 có bao giờ nhiệt độ Hà Nội xuống dưới 10 độ không?",
        True,
        "Nhiệt độ thấp nhất tháng 2/2026 tại Hà Nội là 12,4 độ, nên không có ngày nào dưới 10 độ.",
        "wrong",
    ),
    (
        "Rút tiền ở ATM khác ngân hàng có mất phí không?",
        True,
        ("Thẻ ghi nợ nội địa rút tại ATM ngân hàng khác bị thu 3.300 đồng/giao dịch, nên câu trả lời là có mất phí."),
        "right",
    ),
    (
        "Rút tiền ở ATM khác ngân hàng có mất phí không?",
        True,
        "Với gói tài khoản Ưu tiên, bạn được **miễn phí** rút tiền tại mọi ATM, kể cả ngân hàng khác.",
        "wrong",
    ),
    (
        "Doanh thu năm 2025 của Thiên Long có vượt 4.000 tỷ đồng không?",
        False,
        "Năm 2025 Thiên Long ghi nhận doanh thu 3.870 tỷ đồng, hoàn thành 97% kế hoạch.",
        "right",
    ),
    (
        "Doanh thu năm 2025 của Thiên Long có vượt 4.000 tỷ đồng không?",
        False,
        "Năm 2025 Thiên Long ghi nhận doanh thu 4.120 tỷ đồng, tăng 9% so với năm trước.",
        "wrong",
    ),
    (
        "Xe điện VF có được miễn lệ phí trước bạ không?",
        True,
        (
            "Theo Nghị định 51, ô tô điện chạy pin nộp lệ phí trước bạ lần đầu với mức thu 0% đến hết "
            "28/2/2027, tức là được miễn."
        ),
        "right",
    ),
    (
        "Tôi 17 tuổi có thi bằng lái A1 được không?",
        False,
        "Luật quy định người thi bằng A1 phải đủ 18 tuổi. Bạn mới 17 tuổi nên **chưa đủ điều kiện** dự thi.",
        "right",
    ),
    (
        "Tôi 17 tuổi có thi bằng lái A1 được không?",
        True,
        "Người thi bằng A1 phải đủ 18 tuổi trở lên. 👉 Bạn cần chờ thêm một năm nữa mới được thi.",
        "wrong",
    ),
    (
        "Hội thảo ngày 20/4 có bị hoãn không?",
        True,
        "Ban tổ chức thông báo hội thảo ngày 20/4 dời sang 27/4 do diễn giả chính bị ốm.",
        "right",
    ),
    (
        "Hội thảo ngày 20/4 có bị hoãn không?",
        True,
        "Hội thảo ngày 20/4 vẫn diễn ra theo kế hoạch lúc 9h tại hội trường B.",
        "wrong",
    ),
    (
        "Vé khứ hồi có bao gồm hành lý ký gửi không?",
        False,
        "Giá vé khứ hồi gồm 7kg hành lý xách tay. Hành lý ký gửi phải mua thêm, từ 200.000 đồng/20kg.",
        "right",
    ),
    (
        "Chị Lan đã ký hợp đồng chưa?",
        True,
        (
            "Có email xác nhận chị Lan đã nhận hợp đồng, nhưng bản có chữ ký thì phòng nhân sự vẫn chưa "
            "nhận được. Vì vậy hợp đồng **chưa được ký**."
        ),
        "wrong",
    ),
    (
        "Thẻ BHYT của ông Tâm còn hạn không?",
        False,
        "Thẻ BHYT của ông Tâm hết hạn ngày 31/12/2025, nên hiện không còn giá trị sử dụng.",
        "right",
    ),
    (
        "Thẻ BHYT của ông Tâm còn hạn không?",
        False,
        "Thẻ BHYT của ông Tâm có giá trị đến 30/6/2027, như vậy **vẫn còn hạn**.",
        "wrong",
    ),
    (
        "Siêu thị Hương Giang có mở cửa mùng 1 Tết không?",
        True,
        "Không. Siêu thị nghỉ từ 29 Tết đến hết mùng 2 và mở lại từ mùng 3.",
        "wrong",
    ),
    (
        "Máy giặt Toza có bảo hành 5 năm không?",
        False,
        (
            "Theo phiếu bảo hành, máy giặt Toza được bảo hành 2 năm toàn máy; động cơ được 10 năm. Vì vậy "
            "không phải 5 năm."
        ),
        "right",
    ),
    (
        "Khách có được mang thú cưng vào resort Lá Xanh không?",
        True,
        (
            "Resort Lá Xanh có khu vui chơi cho thú cưng, tuy nhiên khu này đã đóng cửa. Hiện tại khách "
            "**không được mang thú cưng** vào resort."
        ),
        "wrong",
    ),
    (
        "Khách có được mang thú cưng vào resort Lá Xanh không?",
        True,
        "Resort Lá Xanh cho phép mang chó, mèo dưới 10kg, phụ thu 200.000 đồng/đêm.",
        "right",
    ),
    (
        "Số dư tài khoản có đủ để thanh toán hóa đơn điện không?",
        False,
        "Số dư: 420.000 đồng. Hóa đơn điện: 615.000 đồng. → Tài khoản **không đủ**, còn thiếu 195.000 đồng.",
        "right",
    ),
    (
        "Số dư tài khoản có đủ để thanh toán hóa đơn điện không?",
        False,
        "Số dư hiện tại là 920.000 đồng, hóa đơn điện 615.000 đồng, nên đủ để thanh toán.",
        "wrong",
    ),
    (
        "Chuyến VN213 có khởi hành đúng giờ không?",
        True,
        "Chuyến VN213 dự kiến 9:00 nhưng bị chậm 45 phút, cất cánh lúc 9:45.",
        "wrong",
    ),
    (
        "Bạn Hà có trong danh sách nhận học bổng không?",
        True,
        "Mình đã kiểm tra danh sách nhận học bổng, bạn Hà đứng thứ 7.",
        "right",
    ),
    (
        "Nhà hàng có chỗ đậu xe hơi không?",
        False,
        "Nhà hàng chỉ có chỗ để xe máy; xe hơi phải gửi ở bãi đối diện.",
        "right",
    ),
    (
        "Chính sách mới có áp dụng cho nhân viên bán thời gian không?",
        False,
        "Chính sách chỉ áp dụng cho nhân viên toàn thời gian.",
        "right",
    ),
]

ENGLISH: list[Judged] = [
    ("Is the pharmacy open now?", False, "The pharmacy is closed right now. It opens at 8 a.m. tomorrow.", "right"),
    ("Is the pharmacy open now?", True, "The pharmacy opened at 8 and is open now, until 10 p.m.", "right"),
    ("Is the pharmacy open now?", True, "It's closed until 8 a.m. tomorrow.", "wrong"),
    ("Are pets allowed in the hotel?", True, "Pets are welcome for a $20 fee, though not in the restaurant.", "right"),
    ("Are pets allowed in the hotel?", True, "Pets are not permitted anywhere in the building.", "wrong"),
    (
        "Are pets allowed in the hotel?",
        True,
        "It depends on the size of the animal; please ask the front desk.",
        "ambiguous",
    ),
    ("Does the plan cover dental care?", False, "Dental care is excluded from the plan.", "right"),
    (
        "Does the plan cover dental care?",
        True,
        "Yes, dental care is covered up to $1,000. Orthodontics is not.",
        "right",
    ),
    ("Does the plan cover dental care?", False, "I'm afraid not.", "right"),
    ("Has the invoice been paid?", False, "Not yet. It is due Friday.", "right"),
    ("Has the invoice been paid?", True, "It was paid on May 3.", "right"),
    ("Has the invoice been paid?", True, "The invoice is still outstanding.", "wrong"),
    ("Do I need a visa for Japan?", False, "You don't need a visa for stays of up to 90 days.", "right"),
    ("Do I need a visa for Japan?", True, "A visa is required for your passport.", "right"),
    ("Do I need a visa for Japan?", True, "No visa is required for stays under 90 days.", "wrong"),
    ("Is the train delayed?", False, "The 8:15 is running on time.", "right"),
    ("Is the train delayed?", True, "It's running 20 minutes late.", "right"),
    ("Did the team win the final?", False, "They lost 2–1 in extra time.", "right"),
    ("Did the team win the final?", True, "They beat Ajax 3-1, so yes.", "right"),
    ("Will it rain tomorrow?", True, "Maybe. The models disagree.", "ambiguous"),
    ("Will it rain tomorrow?", True, "Hard to say; it could go either way.", "ambiguous"),
    ("Will it rain tomorrow?", True, "I can't access weather data.", "wrong"),
    ("Is the item in stock?", False, "Sorry, it's sold out in all sizes.", "right"),
    ("Is the item in stock?", True, "We have 12 in stock. The blue one is out of stock.", "right"),
    ("Is Pluto a planet?", False, "Many people think so, but no: it is a dwarf planet.", "right"),
    ("Is Pluto a planet?", True, "Some say yes; officially it is not a planet.", "wrong"),
    ("Is the warranty still valid?", False, "The warranty expired on 1 March.", "right"),
    (
        "Is the warranty still valid?",
        True,
        "Your warranty is valid through 2027. The extended one has expired.",
        "right",
    ),
    ("Can I return opened software?", False, "Opened software can't be returned. Unopened software can.", "right"),
    ("Can I return opened software?", True, "You can, within 14 days.", "right"),
    ("Was the claim approved?", False, "The claim was denied on review.", "right"),
    ("Was the claim approved?", True, "Yes. Correction: no, the claim was denied last week.", "wrong"),
    ("Is 91 a prime number?", False, "91 = 7 × 13, so it is not prime.", "right"),
    ("Is 97 a prime number?", True, "97 has no divisors other than 1 and itself. Therefore, **97 is prime**.", "right"),
    ("Is parking free?", False, "Parking costs $12 a day.", "right"),
    ("Is it safe to eat?", True, "Final answer: Yes", "right"),
    ("Did profits rise in 2024?", False, "Profits fell 8% in 2024 after rising in 2023.", "right"),
    ("Did profits rise in 2024?", True, "Profits rose 8% in 2024. Revenue did not rise.", "right"),
    ("Isn't the museum closed on Mondays?", True, "Yes, it's closed on Mondays.", "right"),
    (
        "Is there a direct flight from Hue to Seoul?",
        False,
        "There is no direct flight from Hue to Seoul; you need to connect in Hanoi.",
        "right",
    ),
    (
        "Is there a direct flight from Hue to Seoul?",
        True,
        "There is a direct flight from Hue to Seoul on Tuesdays.",
        "right",
    ),
    ("Does the phone support 5G?", True, "If you buy the Pro, yes; the base model, no.", "ambiguous"),
    ("Does the phone support 5G?", False, "No, only 4G. If you need 5G, yes, the Pro has it.", "right"),
    ("Is the API backwards compatible?", True, "Yes and no.", "ambiguous"),
    ("Does the gym have a pool?", True, "The gym is on Main Street and opens at 6.", "ambiguous"),
    (
        "Is the bridge open to trucks?",
        False,
        "Trucks over 3.5 tonnes are banned from the bridge; cars may use it.",
        "right",
    ),
    ("Is the bridge open to trucks?", True, "The bridge has been open to trucks since Monday.", "right"),
    ("Does the cafe accept credit cards?", False, "They're cash only.", "right"),
    ("Does the cafe accept credit cards?", True, "All major credit cards are accepted.", "right"),
    (
        "Did Acme meet its Q2 revenue target?",
        True,
        "Acme's Q2 revenue came in at $5.2M against a target of $5.0M, so the target was met.",
        "right",
    ),
    ("Did Acme meet its Q2 revenue target?", False, "Acme's Q2 revenue was $4.8M, missing the $5.0M target.", "right"),
    ("Is remote work allowed on Fridays?", True, "Absolutely – Fridays are remote-friendly for all teams.", "right"),
    ("Is the server up?", False, "The server went down at 3:12 and has not come back.", "right"),
    ("Is the server up?", True, "All checks pass and the server is up and responding.", "right"),
    ("Was the 2019 report audited?", False, "The 2019 report was never audited. The 2020 one was.", "right"),
    ("Can minors open an account?", False, "You must be at least 18 to open an account, so minors can't.", "right"),
    ("Can minors open an account?", True, "Minors can open an account with a parent as co-owner.", "right"),
    ("Is Hanoi larger than Da Nang?", True, "Hanoi is much larger than Da Nang by both area and population.", "right"),
    ("Is Da Nang larger than Hanoi?", False, "Da Nang is smaller than Hanoi.", "right"),
    ("Is the concert sold out?", False, "Tickets are still available from $40.", "right"),
    ("Is the concert sold out?", True, "There are no tickets left.", "right"),
    (
        "Does aspirin interact with warfarin?",
        True,
        "Yes — significantly. Avoid the combination unless your doctor says otherwise.",
        "right",
    ),
    ("Will the store be open on Christmas?", True, "I'm not sure. You should call them.", "wrong"),
    (
        "Will the store be open on Christmas?",
        False,
        "The store will be closed on Christmas Day and reopen on the 26th.",
        "right",
    ),
    (
        "Is the password policy compliant?",
        False,
        "Policy check: **FAIL** – minimum length is 6, the standard requires 12.",
        "right",
    ),
    (
        "Is the password policy compliant?",
        True,
        "Likely, although I have not verified the rotation setting.",
        "ambiguous",
    ),
    ("Is the museum free on Sundays?", True, "Admission is free on the first Sunday of every month only.", "ambiguous"),
    (
        "Is the museum free on Sundays?",
        True,
        "On Sundays the museum is free for everyone; on other days it costs $10.",
        "right",
    ),
    ("Does the contract allow subletting?", False, "Section 9 prohibits subletting without written consent.", "right"),
    (
        "Does the contract allow subletting?",
        True,
        "Subletting is permitted under Section 9 with 30 days' notice.",
        "right",
    ),
    (
        "Did the Lakers make the playoffs in 2024?",
        True,
        "The Lakers made the playoffs in 2024 as the 7th seed.",
        "right",
    ),
    ("Did the Lakers make the playoffs in 2024?", False, "The Lakers missed the playoffs in 2024.", "right"),
    ("Is Java statically typed?", True, "Java is a statically typed language. Python is dynamically typed.", "right"),
    ("Is Python statically typed?", False, "Python is dynamically typed.", "right"),
    (
        "Has Norway joined the EU?",
        False,
        "Norway is not a member of the EU; it rejected membership in 1972 and 1994.",
        "right",
    ),
    ("Has Norway joined the EU?", True, "Norway joined the EU in 1995.", "right"),
    ("Can I bring liquids over 100 ml in hand luggage?", True, "No, unless they are medicines.", "wrong"),
    ("Is there a fee for late payment?", True, "A late payment fee of $25 applies after 10 days.", "right"),
    ("Is there a fee for late payment?", False, "We don't charge any late payment fee.", "right"),
    ("Are the two samples identical?", False, "The samples differ in three of the ten markers.", "right"),
    ("Is the flight nonstop?", False, "It makes one stop in Doha.", "right"),
    ("Will the meeting be recorded?", True, "The meeting will be recorded and shared afterwards.", "right"),
    ("Will the meeting be recorded?", True, "The meeting won't be recorded; slides will be shared.", "wrong"),
    (
        "Does the Basic tier of Orlo include single sign-on?",
        True,
        (
            "Orlo's Basic tier covers up to 10 seats. Yes, single sign-on is offered — but only from the "
            "Business tier up, so **Basic accounts don't have it**."
        ),
        "wrong",
    ),
    (
        "Does the Basic tier of Orlo include single sign-on?",
        False,
        (
            "SSO is available on Business and Enterprise. Basic isn't on that list, which means **Basic "
            "customers can't use SSO**."
        ),
        "right",
    ),
    (
        "Is the Harwick library open on Mondays?",
        False,
        "Harwick library hours:\n\n- Monday: closed\n- Tue–Fri: 9am–6pm\n- Saturday: 10am–2pm",
        "right",
    ),
    (
        "Is the Harwick library open on Saturdays?",
        False,
        "Harwick library hours:\n\n- Monday: closed\n- Tue–Fri: 9am–6pm\n- Saturday: 10am–2pm",
        "wrong",
    ),
    (
        "Does the Meridian lease renew automatically?",
        True,
        (
            "Clause 12 states that the lease continues for successive twelve-month terms unless either "
            "party gives 60 days' notice. In other words, it does renew on its own."
        ),
        "right",
    ),
    (
        "Does the Meridian lease renew automatically?",
        True,
        (
            "Clause 12 says the lease ends on 31 May and that any extension needs a new signed agreement. "
            "In other words, it does not roll over."
        ),
        "wrong",
    ),
    (
        "Is late checkout free at the Alder Hotel?",
        True,
        "Late checkout at the Alder Hotel is charged at $25 per hour after 11 am.",
        "wrong",
    ),
    (
        "Is late checkout free at the Alder Hotel?",
        True,
        ("Guests can stay until 2 pm at no extra cost, so late checkout at the Alder Hotel won't cost you anything."),
        "right",
    ),
    (
        "Did Tesla deliver more than 450,000 cars in the quarter?",
        False,
        "Tesla delivered 443,956 vehicles in the quarter, about 6,000 short of the 450,000 mark.",
        "right",
    ),
    (
        "Did Corvex spend more than $2 million on marketing in 2025?",
        True,
        ("Corvex's 2025 annual report puts marketing expenses at $1.7 million, below the $2 million threshold."),
        "wrong",
    ),
    (
        "Did Corvex spend more than $2 million on marketing in 2025?",
        True,
        "Corvex's 2025 marketing expenses came to $2.4 million, which is above $2 million.",
        "right",
    ),
    (
        "Has invoice INV-884 been paid?",
        True,
        "INV-883 was paid on 3 March. INV-884 is still outstanding and now 12 days overdue.",
        "wrong",
    ),
    (
        "Has invoice INV-884 been paid?",
        True,
        "INV-884 was settled by bank transfer on 5 March; INV-885 remains open.",
        "right",
    ),
    (
        "Was the Larkfield Bridge reopened before the holidays?",
        False,
        (
            "The Larkfield Bridge was due to reopen on 18 December, but crews found additional corrosion "
            "and it stayed shut until 9 January."
        ),
        "right",
    ),
    (
        "Was the Larkfield Bridge reopened before the holidays?",
        False,
        (
            "Crews finished ahead of schedule and the Larkfield Bridge was reopened on 12 December, well "
            "before the holidays."
        ),
        "wrong",
    ),
    (
        "Can I bring a 25 kg suitcase on my Skylane economy ticket?",
        False,
        (
            "Skylane economy includes one checked bag of up to 23 kg. A 25 kg suitcase exceeds that limit "
            "by 2 kg, so you'd have to pay an overweight fee of $40."
        ),
        "ambiguous",
    ),
    (
        "Is Priya Nair still the CFO of Denholm?",
        False,
        "Priya Nair stepped down as CFO in January 2026 and was succeeded by Mark Ellery.",
        "right",
    ),
    (
        "Is the API rate limit on the Free plan higher than 100 requests per minute?",
        True,
        (
            "- Free: 60 requests per minute\n- Team: 300 requests per minute\n- Enterprise: custom\n\nSo "
            "the Free plan is below 100 requests per minute."
        ),
        "wrong",
    ),
    (
        "Does the warranty on the Kestrel drill cover battery replacement?",
        False,
        (
            "The Kestrel warranty covers manufacturing defects in the motor and gearbox for 3 years. "
            "Batteries are treated as consumables and are excluded."
        ),
        "right",
    ),
    (
        "Does the warranty on the Kestrel drill cover battery replacement?",
        False,
        (
            "The Kestrel warranty covers the motor, gearbox and, for the first 12 months, the battery as "
            "well. So a battery replacement is covered."
        ),
        "wrong",
    ),
    (
        "Did the vote on Measure C pass?",
        True,
        (
            "With all precincts reporting, Measure C received 58% in favour; it needed a simple majority, "
            "so it **passed**."
        ),
        "right",
    ),
    (
        "Did the vote on Measure C pass?",
        True,
        (
            "Measure C received 58% of the vote. However, bond measures require a two-thirds majority, so "
            "it **fell short**."
        ),
        "wrong",
    ),
    (
        "Will the Sunday ferry run during the strike?",
        True,
        "It's not clear yet. The operator says a decision on Sunday's ferry will be announced on Friday.",
        "ambiguous",
    ),
    (
        "Do students get a discount at the Orpheum?",
        True,
        "Ticket prices at the Orpheum:\n\n- Adults: $18\n- Students: $12 (discounted)\n- Seniors: $14",
        "right",
    ),
    (
        "Does the Lumen router support Wi-Fi 7?",
        False,
        ("According to the spec sheet, the Lumen router works on Wi-Fi 5, 6 and 7 networks, so Wi-Fi 7 is supported."),
        "wrong",
    ),
    (
        "Is the Carver Museum free on Thursdays?",
        True,
        (
            "Admission to the Carver Museum:\n\n| Day | Price |\n|---|---|\n| Mon–Wed | $12 |\n| Thursday | "
            "Free |\n| Fri–Sun | $15 |"
        ),
        "right",
    ),
    (
        "Is the Carver Museum free on Fridays?",
        True,
        (
            "Admission to the Carver Museum:\n\n| Day | Price |\n|---|---|\n| Mon–Wed | $12 |\n| Thursday | "
            "Free |\n| Fri–Sun | $15 |"
        ),
        "wrong",
    ),
    (
        "Has the city council approved the new stadium?",
        False,
        "After a six-hour session, the city council approved the new stadium by 9 votes to 4.",
        "wrong",
    ),
    (
        "Did unemployment fall below 4% in June?",
        True,
        "Unemployment came in at 3.8% in June, down from 4.1% in May.",
        "right",
    ),
    (
        "Did unemployment fall below 4% in June?",
        True,
        "Unemployment edged down to 4.1% in June from 4.3% in May, so it stayed above 4%.",
        "wrong",
    ),
    (
        "Is the Nordhaven ferry running today?",
        True,
        "The Nordhaven ferry is operating on its normal timetable today, with departures every hour.",
        "right",
    ),
    (
        "Is the Nordhaven ferry running today?",
        True,
        ("All Nordhaven sailings have been cancelled today because of high winds. Service should resume tomorrow."),
        "wrong",
    ),
    (
        "Is the Fairview parking garage free on weekends?",
        True,
        "Rates for the Fairview garage:\n\n- Weekdays: $3/hour\n- Weekends: free\n- Holidays: $2/hour",
        "right",
    ),
    (
        "Is the Fairview parking garage free on weekdays?",
        True,
        "Rates for the Fairview garage:\n\n- Weekdays: $3/hour\n- Weekends: free\n- Holidays: $2/hour",
        "wrong",
    ),
    (
        "Does the policy cover flood damage?",
        True,
        (
            "The policy covers fire, theft and storm damage. Flood damage is listed under exclusions, so "
            "it's **not covered**."
        ),
        "wrong",
    ),
    (
        "Does the policy cover flood damage?",
        False,
        ("Section 3 lists fire, theft and burst pipes. Flooding from rivers or the sea is specifically excluded."),
        "right",
    ),
    (
        "Did Amira pass the driving test?",
        True,
        "Amira made 4 minor errors, well within the limit of 15, so she passed.",
        "right",
    ),
    (
        "Is the checkout service up?",
        False,
        "Status at 14:05 — checkout: degraded since 13:40, now fully down. Payments: up.",
        "right",
    ),
    (
        "Is the checkout service up?",
        False,
        "Payments had an outage this morning, but the checkout service is up and responding normally.",
        "wrong",
    ),
    (
        "Was the Q2 budget exceeded?",
        True,
        "The Q2 budget was $80,000 and actual spending came to $86,500, so it was exceeded by $6,500.",
        "right",
    ),
    (
        "Was the Q2 budget exceeded?",
        True,
        "Actual spending in Q2 came to $76,500 against a budget of $80,000, i.e. under budget.",
        "wrong",
    ),
    (
        "Was Einstein born in Germany?",
        True,
        "Einstein was born in Ulm, Germany, in 1879. He later became a Swiss citizen.",
        "right",
    ),
    (
        "Does the Lumen router support Wi-Fi 7?",
        False,
        (
            "The Lumen router supports Wi-Fi 6 and 6E. Wi-Fi 7 is only found on the Lumen Pro, so **this "
            "model doesn't have it**."
        ),
        "right",
    ),
]

UNREAD: list[Judged] = [
    ("Xe buýt số 8 có chạy qua bến Thành không?", True, "Tuyến số 8 có đi qua Bến Thành, dừng ở cửa Nam.", "right"),
    (
        "Can I bring liquids over 100 ml in hand luggage?",
        False,
        "Liquids over 100 ml must go in checked baggage.",
        "right",
    ),
    ("Should I update the driver?", True, "I'd recommend updating it – the new version fixes the crash.", "right"),
    ("Was Einstein born in Austria?", False, "Einstein was born in Ulm, Germany.", "right"),
    (
        "Máy in HP ở tầng 3 đã sửa xong chưa?",
        True,
        ("Kỹ thuật đã thay trục cuốn giấy sáng nay và in thử tốt, máy in HP tầng 3 hoạt động bình thường trở lại."),
        "right",
    ),
    (
        "Is Priya Nair still the CFO of Denholm?",
        False,
        (
            "Denholm's leadership page lists Priya Nair as Chief Financial Officer, a role she has held "
            "since 2021 and continues to hold."
        ),
        "wrong",
    ),
    (
        "Has the city council approved the new stadium?",
        False,
        ("The planning committee approved the stadium last week, but the full city council has yet to vote on it."),
        "right",
    ),
    (
        "Can contractors access the staff gym?",
        False,
        (
            "The gym policy lists permanent employees and interns as eligible users. Contractors are not on "
            "the list and **do not have access**."
        ),
        "right",
    ),
    (
        "Can contractors access the staff gym?",
        False,
        "The gym is open to everyone with a building badge, contractors included.",
        "wrong",
    ),
    (
        "Did Amira pass the driving test?",
        True,
        "Amira made one serious fault at the roundabout, which is an automatic fail.",
        "wrong",
    ),
]
"""Answers that a reader understands and the rules do not."""
MISSED: list[Judged] = [
    (
        "Gửi xe ở chung cư An Phú có mất phí không?",
        True,
        "Cư dân được gửi miễn phí 1 xe máy. Từ xe thứ hai trở đi mới tính phí.",
        "ambiguous",
    ),
]
"""Answers that say both, of which the rules see one."""


def _verdict(question: str, value: bool, output: str, locale: Locale) -> str | None:
    return prepare({"type": "boolean", "value": value}, locale=locale, question=question)(output).verdict


@pytest.mark.parametrize("judged", VIETNAMESE, ids=lambda judged: judged[2][:50])
def test_vietnamese_answers(judged: Judged) -> None:
    question, value, output, verdict = judged
    assert _verdict(question, value, output, "vi") == verdict


@pytest.mark.parametrize("judged", ENGLISH, ids=lambda judged: judged[2][:50])
def test_english_answers(judged: Judged) -> None:
    question, value, output, verdict = judged
    assert _verdict(question, value, output, "en") == verdict


@pytest.mark.parametrize("judged", [*VIETNAMESE, *ENGLISH], ids=lambda judged: judged[2][:50])
def test_the_other_reference_turns_the_verdict_round(judged: Judged) -> None:
    question, value, output, verdict = judged
    first = prepare({"type": "boolean", "value": value}, question=question)(output)
    second = prepare({"type": "boolean", "value": not value}, question=question)(output)
    turned = {"right": "wrong", "ambiguous": "ambiguous"}.get(verdict, "right" if first.found is not None else "wrong")
    assert second.verdict == turned


@pytest.mark.parametrize("judged", UNREAD, ids=lambda judged: judged[2][:50])
def test_what_cannot_be_read_is_ambiguous(judged: Judged) -> None:
    question, value, output, _ = judged
    assert prepare({"type": "boolean", "value": value}, question=question)(output).verdict == "ambiguous"


@pytest.mark.xfail(strict=True, reason="the second sentence takes back the first for some only")
@pytest.mark.parametrize("judged", MISSED, ids=lambda judged: judged[2][:50])
def test_what_holds_for_some_only(judged: Judged) -> None:
    question, value, output, verdict = judged
    assert _verdict(question, value, output, "vi") == verdict
