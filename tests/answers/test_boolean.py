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
]

UNREAD: list[Judged] = [
    (
        "Nhà hàng có chỗ đậu xe hơi không?",
        False,
        "Nhà hàng chỉ có chỗ để xe máy; xe hơi phải gửi ở bãi đối diện.",
        "right",
    ),
    ("Xe buýt số 8 có chạy qua bến Thành không?", True, "Tuyến số 8 có đi qua Bến Thành, dừng ở cửa Nam.", "right"),
    (
        "Chính sách mới có áp dụng cho nhân viên bán thời gian không?",
        False,
        "Chính sách chỉ áp dụng cho nhân viên toàn thời gian.",
        "right",
    ),
    (
        "Can I bring liquids over 100 ml in hand luggage?",
        False,
        "Liquids over 100 ml must go in checked baggage.",
        "right",
    ),
    ("Should I update the driver?", True, "I'd recommend updating it – the new version fixes the crash.", "right"),
    (
        "Was Einstein born in Germany?",
        True,
        "Einstein was born in Ulm, Germany, in 1879. He later became a Swiss citizen.",
        "right",
    ),
    ("Was Einstein born in Austria?", False, "Einstein was born in Ulm, Germany.", "right"),
]
"""Answers that a reader understands and the rules do not."""


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
