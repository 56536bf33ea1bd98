"""Words that exclude each other, such as buying and selling, and those that mean the same."""

from __future__ import annotations

__all__ = ["FAMILY_TEXT"]

FAMILY_TEXT = """
mua, mua vào, buy, buying, bid, bought, purchase; bán, bán ra, sell, selling, ask, sold, offer
mở cửa, open, opening, opened; đóng cửa, chốt phiên, kết phiên, close, closing, closed
; cao nhất, high, highest, maximum, tối đa
; khối lượng khớp lệnh, khối lượng giao dịch, khớp lệnh, volume, trading volume
; thấp nhất, low, lowest, minimum, tối thiểu; trung bình, bình quân, average, mean; trung vị, median; tham chiếu
gộp, gross, trước thuế, before tax, pre - tax, pretax, chưa thuế, chưa gồm thuế, excluding tax, chưa gồm vat
, chưa vat, subtotal, tạm tính
; ròng, net, sau thuế, after tax, after - tax, đã gồm thuế, including tax, đã gồm vat
doanh thu, revenue, sales, turnover; lợi nhuận, lãi, profit, profits, earnings, income
; chi phí, cost, costs, expense, expenses, chi; vốn hóa, capitalization, cap; tài sản, assets
; nợ, debt, liabilities; vốn chủ, equity; thuế, tax, taxes; biên, margin
xuất khẩu, export, exports, exported; nhập khẩu, import, imports, imported
một chiều, one - way, one way; khứ hồi, round - trip, round trip, return
người lớn, adult, adults; trẻ em, trẻ, child, children, kids; sinh viên, student, students
; người cao tuổi, senior, seniors
nam, male, men, boys; nữ, female, women, girls
xách tay, carry-on, carry - on, cabin, hand luggage; ký gửi, checked
nội địa, trong nước, domestic; quốc tế, international, nước ngoài, overseas, foreign
khởi hành, cất cánh, depart, departs, departure, departing, leaves; đến nơi, hạ cánh, arrive, arrives, arrival, lands
bắt đầu, khởi công, start, starts, began, begin, begins, begun, started, starting, commenced
; kết thúc, hoàn thành, end, ends, finishes, complete, ended, finish, finished, completion, completed
nhận phòng, check - in, check in; trả phòng, check - out, check out
ngày thường, weekday, weekdays; cuối tuần, weekend, weekends
ban ngày, daytime; ban đêm, overnight, night, nights, đêm
nhiệt độ, temperature; độ ẩm, humidity; gió, wind; cảm giác, feels
thực tế, actual, actually; kế hoạch, planned, plan, target, budget, budgeted, mục tiêu, dự toán
đặt, ordered, đặt hàng; giao, delivered, shipped, đã giao, xuất kho; trả lại, hoàn, returned, refunded
; hủy, cancelled, canceled
tồn kho, tồn, stock, on hand; nhập, received, incoming, nhập kho
ký, signed; hiệu lực, effective; hết hạn, hết hiệu lực, expires, expired, expiry, expiration; gia hạn, renewed
, renewal
thành lập, founded, established, incorporated, founding; cổ phần hóa, equitized
; niêm yết, lên sàn, chào sàn, listed, listing, ipo, go public, went public, goes public, going public, public offering
; mua lại, thâu tóm, sáp nhập, acquired, acquisition, takeover, taken over, bought by, bought out
; đổi tên, renamed, rebranded; phá sản, giải thể, dissolved, bankrupt
sinh, born, birth; mất, qua đời, died, death
phát hành, công bố, published, released, release, announced; cập nhật, updated
hợp nhất, consolidated; riêng lẻ, công ty mẹ, standalone, parent
mỗi đêm, per night, một đêm, / đêm, a night, / night, nightly; cả kỳ, total stay
; mỗi người, per person, / người, một người, / person, each
mỗi ngày, per day, / ngày, một ngày, hàng ngày, daily, a day, / day
; mỗi tuần, per week, / tuần, một tuần, hàng tuần, weekly, a week, / week
; mỗi tháng, per month, / tháng, một tháng, hàng tháng, monthly, a month, / month, / mo
; mỗi năm, per year, / năm, một năm, hàng năm, annual, annually, yearly, a year, per annum, / year
; mỗi quý, per quarter, / quý, quarterly; mỗi học kỳ, học kỳ, mỗi kỳ, per term, per semester, / học kỳ
eps, per share, / share, a share, / cổ phiếu, mỗi cổ phiếu, mỗi cổ phần, / cổ phần
lãi suất, interest; phí, fee, fees; gốc, principal
thắng, won, win, wins; thua, lost, loses, losses, defeats; hòa, drawn, draws, draw
tử vong, deaths, dead, chết, killed; bị thương, injured, injuries; mất tích, missing; nhiễm, infected, cases, ca mắc
đã dùng, used, sử dụng; còn lại, còn, left, remaining, balance, available, still owe, you ' ll owe, will owe, còn nợ
chiều dài, dài, length, long; chiều rộng, rộng, width, wide; chiều cao, cao, height, tall; sâu, depth, deep
; diện tích, area; chu vi, perimeter
dân số, population; mật độ, density
arrive, arrives, arrival, arriving, delivered, delivery, estimated delivery, expected delivery, estimated arrival, eta
, giao hàng, được giao, dự kiến giao, giao dự kiến, giao đến, nhận được hàng, nhận hàng, ngày giao
; picked up, collected, shipped, dispatched, departed, departed hub, in transit, sorting centre, sorting center
, arrived at, order placed, customs, đã lấy hàng, lấy hàng, đến kho, rời kho, nhập kho, trung chuyển, đặt hàng, đã đặt
deadline, closing date, due date, applications close, registration closes, hạn chót, hạn cuối, hạn nộp, đóng cổng
, hết hạn nộp, hạn đăng ký; applications open, registration opens, mở cổng, mở đăng ký, bắt đầu nhận
; decisions, results announced, công bố kết quả, có kết quả
complete, completes, completed, completion, closed on, deal closed, closed the deal, finalized, finalised, hoàn tất
; announced, announcement, agreed to, công bố
find, finds, found, locate, located, spotted, rescued, tìm thấy; went missing, disappeared, vanished
khánh thành, thông xe, mở cửa đón khách, inaugurated, opened to; khởi công, động thổ, construction began, construction started
, work began, groundbreaking; hợp long, topped out; mở rộng, nâng cấp, widened, extended, refurbished, renovated
khai mạc, opening ceremony, opens; bế mạc, closing ceremony, closes
thành thị, urban; nông thôn, rural
cả năm, full year, full - year, whole year, for the year; quý, quarter
cũ, old, former, previous, existing; mới, new, updated
xác suất, khả năng, chance, probability, likelihood
bao lâu, how long, duration, thời gian, thời lượng, kéo dài, lasted, lasts, took, takes, mất
how far, bao xa, distance, khoảng cách, quãng đường
how old, age, aged, tuổi
warm, nóng, hot, temperature, nhiệt độ, cold, lạnh
owe, due, phải trả, phải nộp, amount due, cần thanh toán, must pay
giá, price, cost, costs, fee, rate, tiền
online, trực tuyến, trên app, qua app; quầy, tại quầy, counter, branch
cash, tiền mặt; stock, cổ phiếu, shares
peak, cao điểm; off - peak, off peak, thấp điểm; bình thường, standard
home, sân nhà; away, sân khách
nguội, cold; sống, raw; chín, cooked
"""
"""A family a line: members stand between semicolons, and the words of one between commas."""
