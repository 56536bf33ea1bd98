"""Words that say the contrary of each other, so that `closed` answers whether something is open.

Each row, up to an empty line, has two sides; words of a side stand for one another where a question is answered.
They are looked up word by word, so that a long answer costs no more than its length.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from toolgauge.locale import fold_word

__all__ = ["CAPITAL", "Member", "find_members", "folded_words"]

ROWS = """
mở cửa, mở, hoạt động, mở lại, open, opens, opened, reopened, operating / đóng cửa, đóng, nghỉ, đóng lại, ngừng hoạt
động, closed, close, closes, shut, shut down, restricted, diverted

còn, còn hàng, còn chỗ, còn trống, còn phòng, sẵn hàng, có sẵn, in stock, available, left, vacancies, vacancy,
availability / hết, hết hàng, hết chỗ, hết phòng, hết vé, bán hết, kín, kín chỗ, kín lịch, cháy hàng, out of stock,
run out, ran out, tạm hết, back order, backorder, backordered, back ordered, pre order, preorder, sold out,
unavailable, fully booked, booked up, booked out, no longer available, gone

kín, đầy, kín chỗ, kín lịch, fully booked, at capacity, hết chỗ / trống, còn chỗ, còn trống, vacant

được, được phép, cho phép, có thể, phép, đủ điều kiện, hợp lệ, thoải mái, can, may, allowed, allow, allows, permitted,
permit, permits, welcome, able, could, eligible, possible, entitled, accepted, thuộc diện, thuộc đối tượng, được hưởng
/ reserved for, used up, exhausted, dùng hết, cấm, nghiêm cấm, bị cấm, từ chối, không thể, không được, prohibited,
forbidden, banned, bans, prohibits, barred, cannot, impossible, disallowed, ineligible, off limits

đủ điều kiện, đủ tiêu chuẩn, đáp ứng, thỏa mãn, thỏa điều kiện, đạt yêu cầu, đạt chuẩn, hợp lệ, eligible, qualify,
qualifies, qualified, meets, entitled, available to, open to, được hưởng, thuộc diện / thiếu điều kiện, ineligible,
disqualified, falls short, loại

miễn, được miễn, miễn thuế, miễn phí, exempt, exempted, waived, tax free, nontaxable, miễn trừ / phải nộp, phải đóng,
phải chịu, chịu thuế, phải trả, taxable, taxed, subject to, liable, tính phí, mất phí, charged, chịu

phải, cần, bắt buộc, phải nộp, phải chịu, chịu thuế, chịu, phải có, cần có, yêu cầu, need, needs, required, requires,
require, must, mandatory, compulsory, necessary, have to, has to, needed, obligatory, taxable, phải đóng / miễn, được
miễn, miễn thuế, tùy chọn, tự nguyện, optional, exempt, waived, voluntary, unnecessary, visa free, tax free, over the
counter, khỏi

thành công, hoàn tất, hoàn thành, successful, succeeded, succeed, success, successfully, completed, worked / rolled
back, reverted, aborted, thất bại, lỗi, gặp lỗi, failed, unsuccessful, failure, errored, không thành, bất thành

đạt, đạt được, hoàn thành, met, meets, meet, vượt, reached, hit, đúng sla, đúng hạn, trong hạn, within, đáp ứng, on
target / vi phạm, breached, breach, missed, miss, misses, missing, hụt, quá hạn, trễ hạn, thiếu, below target, fell
short, falls short, short of

đỗ, đậu, trúng tuyển, passed, pass, passes, without errors, no errors, green, vượt qua, thông qua, adopted, enacted /
trượt, rớt, failed, fail, fails, rejected, voted down, defeated, bác bỏ, bị bác, fell short, falls short, short of

tăng, tăng lên, đi lên, nhích, nhích lên, edged up, ticked up, tăng trưởng, rise, rose, risen, rising, increased,
increase, increases, up, grew, grow, climbed, gained, higher, went up / eased, slipped, dipped, edged down, ticked
down, hạ, giảm, giảm đi, đi xuống, sụt giảm, sụt, fall, fell, fallen, decreased, decrease, declined, decline, down,
dropped, drop, shrank, lower, went down

lãi, có lãi, lợi nhuận dương, a profit, profitable, made money, in the black / lỗ, thua lỗ, âm, loss, losses,
unprofitable, lost money, in the red

vượt, vượt quá, cao hơn, trên, lớn hơn, nhiều hơn, exceed, exceeds, exceeded, beat, beats, above, over, higher, higher
than, surpassed, topped, ahead of, more than, greater, greater than, larger, larger than, bigger, bigger than / dưới,
thấp hơn, nhỏ hơn, ít hơn, kém, kém hơn, chưa tới, hụt, below, under, missed, lower, lower than, less than, fewer,
smaller, smaller than, short of, fell short, came up short, trailed, missing, shy of

nhanh, nhanh hơn, faster, quicker, fast / chậm, chậm hơn, slower, slow

rẻ, rẻ hơn, cheaper, cheap, less expensive / đắt, đắt hơn, more expensive, pricier, expensive, dearer

green light, go ahead, gật đầu, phê duyệt, được duyệt, duyệt, chấp thuận, thông qua, chấp nhận, approved, approve,
accepted, granted, authorised, authorized, cleared, signed off / từ chối, bác, bác bỏ, bị bác, chờ, đang chờ,
rejected, denied, declined, refused, turned down, pending, under review, vetoed, blocked

còn hiệu lực, còn hạn, còn giá trị, hiệu lực, hợp lệ, có giá trị, valid, in force, in effect, current, effective / hết
hiệu lực, hết hạn, need to renew, must renew, phải gia hạn, cần gia hạn, hết giá trị, mất hiệu lực, quá hạn, expired,
invalid, void, lapsed, hết

quá hạn, trễ hạn, overdue, past due, late / trong hạn, đúng hạn, chưa đến hạn, on time, not due, within terms

hợp pháp, hợp lệ, legal, lawful, legally / bất hợp pháp, phi pháp, trái phép, trái luật, illegal, unlawful,
prohibited, cấm

còn sống, alive, living / đã mất, qua đời, từ trần, died, dead, deceased, passed away

an toàn, safe, safely / nguy hiểm, mất an toàn, không an toàn, dangerous, unsafe, harmful, hazardous, toxic, risky

chuyển vào tài khoản, về tài khoản, thanh toán, trả, chi trả, nộp, tất toán, paid, settled, pay, cleared / nợ, còn nợ,
treo, unpaid, outstanding, owed, overdue, pending

giao, đã giao, bàn giao, delivered, arrived, received, tới nơi, ký nhận, signed for, left with, left at your, dropped
off, handed to you, handed to the receptionist, handed to reception, handed to your, handed to a neighbour, handed to
a neighbor / đang giao, đang vận chuyển, in transit, on the way, en route, on its way, out for delivery

gửi, xuất kho, gửi đi, rời kho, shipped, dispatched, sent, left our, left the, handed to / đang chuẩn bị, đang đóng
gói, being packed, being picked, processing, backordered, awaiting, waiting on, on hold, chờ hàng

đủ, enough, sufficient, suffices, adequate, ample, cover, covers / thiếu, insufficient, short, not enough, inadequate,
too little, lacking

bao gồm, gồm, đã gồm, kèm, tính luôn, hỗ trợ, supports, support, offers, included, include, includes, comes with,
inclusive, đi kèm, complimentary / tính riêng, tính phí riêng, phí riêng, phụ phí, chưa gồm, trả thêm, mua thêm, mua
riêng, sold separately, loại trừ, excluded, excludes, exclude, extra charge, at extra cost, extra cost, separately,
not included, tự túc, tự chi trả, tự trả, own expense, themselves, yourself, extra

chi trả, bồi thường, bao gồm, thuộc phạm vi, cover, covers, covered, included, insured, reimburses, reimbursed, pays /
loại trừ, từ chối, excluded, excludes, exclude, uninsured, exclusion, ngoài phạm vi, outside the scope

hỗ trợ, tương thích, support, supports, supported, compatible, works with, runs on / ngừng hỗ trợ, unsupported,
incompatible, deprecated, lacks, lack

online, running, runs, run, operating, operates, up, active, hoạt động, chạy, đang chạy, live, operational, enabled,
turned on, switched on, working, bật, kích hoạt / turned off, switched off, paused, mất tín hiệu, mất kết nối, no
signal, offline, down, inactive, stopped, sập, ngừng, dừng, tạm dừng, disabled, tắt, outage, cancelled, canceled, bị
hủy, broken, crashed, hỏng, vô hiệu, suspended

hoãn, trễ, muộn, chậm, bị hoãn, delayed, late, behind schedule, dời, lùi, rescheduled, delay, postponed / đúng giờ,
đúng lịch, đúng hẹn, kịp, on time, on schedule, punctual, as scheduled, as planned

kịp, đúng hạn, đúng giờ, đúng hẹn, on time, on schedule, in time / trễ, muộn, chậm, trễ hạn, late, delayed, behind
schedule, overdue

hủy, bị hủy, hủy bỏ, cancelled, canceled, called off, scrapped / đúng giờ, on time, như kế hoạch, như dự kiến, vẫn
diễn ra, diễn ra bình thường, going ahead, goes ahead, as planned, as scheduled, still on

diễn ra, going ahead, goes ahead, still on, as planned, as scheduled, on track / hủy, hoãn, bị hủy, bị hoãn,
cancelled, canceled, postponed, delayed, called off, pushed back

thắng, chiến thắng, won, win, wins, beat, winner, victory, vô địch, đăng quang, lên ngôi, finished first, came first,
line first, came out on top, clinched / behind the winner, conceded, second place, finished second, finished third,
finished fourth, came second, came third, came fourth, á quân, về nhì, về ba, hạng nhì, thua, bại, thất bại, lost,
lose, loses, defeated, runner up, beaten

giống, giống nhau, cùng, bằng nhau, như nhau, same, identical, equal, the same / khác, khác nhau, khác biệt,
different, differ, differs, unequal, distinct

miễn phí, free, no charge, free of charge, complimentary, không phải mua, không cần mua, không phải trả, không tốn,
không mất phí, at no cost, at no extra cost, no extra cost, at no additional cost / có phí, mất phí, tính phí, thu
phí, phải trả phí, chịu phí, phụ thu, pay, paid, costs, cost, charged, fee, charge, charges

công khai, public, publicly / riêng tư, nội bộ, private, internal

cấm, bị cấm, nghiêm cấm, prohibited, banned, forbidden, prohibit, bans, barred, restricted / cho phép, được phép,
được, allowed, permitted, welcome, legal, unrestricted

chẵn, even / lẻ, odd

số nguyên tố, nguyên tố, prime / hợp số, composite

dương, positive / âm, negative

đúng, chính xác, sự thật, true, correct, accurate, right / sai, nhầm, bịa, false, wrong, incorrect, inaccurate,
untrue, myth, hoax, tin giả

nên, should, recommended, worth, advisable, good idea / tránh, đừng, avoid, inadvisable, bad idea, against

thành viên, member, members, thuộc / rời, rút khỏi, left, withdrew, outside

kết hôn, lập gia đình, married / độc thân, ly hôn, single, divorced, unmarried

trong nước, nội địa, domestic / nước ngoài, quốc tế, foreign, international, overseas

tự động, automatic, automatically, auto / thủ công, manual, manually

niêm yết, listed / hủy niêm yết, delisted, unlisted

xong, hoàn tất, hoàn thành, nghiệm thu, bàn giao, finished, done, complete, completed / dở, dang dở, đang làm,
unfinished, in progress, ongoing, incomplete

bắt đầu, khởi công, started, begun, began, launched / chưa khởi công, scheduled for, upcoming

duy trì, giữ, giữ nguyên, upheld, uphold, kept, unchanged / bãi bỏ, hủy, struck down, overturned, repealed, changed

có mặt, tham dự, attended, present, attend / vắng, vắng mặt, absent, skipped, missed

làm, làm việc, công tác, works, working, work, employed, employee / nghỉ việc, thôi việc, nghỉ hưu, rời, từ chức,
resigned, left, quit, retired, fired, stepped down

lỗi, hỏng, sự cố, trục trặc, khóa, bị khóa, chặn, đình chỉ, ảnh hưởng, degraded, outage, down, problem, problems,
issue, issues, error, errors, faulty, affected, locked, blocked, suspended, frozen / bình thường, ổn, ổn định, tốt,
normal, normally, fine, healthy, operational, unaffected, active, unlocked

nhận, chấp nhận, tiếp nhận, accept, accepts, accepted, take, takes, admit, admits / từ chối, ngừng nhận, refuse,
refuses, declines, cash only, rejects

dùng được, sử dụng được, dùng, uống, ăn được, ăn, use, used, eat, eaten, drink, take, taken / chống chỉ định, độc, gây
độc, tránh, kiêng, contraindicated, avoid, toxic, poisonous, harmful, unsafe

tuân thủ, compliant, complies, đạt chuẩn, conforms, passes / vi phạm, noncompliant, non compliant, violates, fails,
fail, violation

trống, available, vacant, free / bận, busy, occupied, taken, đã đặt, booked, reserved, kín

tươi, còn tươi, fresh / hỏng, ôi, thiu, spoiled, rotten, stale

ký, đã ký, signed / chưa ký, unsigned

đông, crowded, busy / vắng, quiet, empty

ấm, nóng, hot, warm / lạnh, rét, cold, cool, freezing

mưa, rain, rainy, raining, rains / nắng, khô ráo, tạnh, dry, sunny, clear

nặng, heavier, heavy / nhẹ, lighter, light

dài hơn, longer, dài / ngắn hơn, shorter, ngắn

trước, earlier, before / sau, later, after

già hơn, older, lớn tuổi / trẻ hơn, younger, trẻ

nhiều, many, lots / ít, few, little

mở, mở cửa, open / banned, barred, cấm, prohibited, off limits, closed, đóng cửa

nonstop, non stop, direct, bay thẳng / one stop, layover, connecting, quá cảnh, nối chuyến

statically, static / dynamically, dynamic

joined, join, gia nhập, tham gia / left, rời, rút khỏi, outside, not a member

lên lịch, scheduled, planned / unscheduled, unplanned

ra sân, đá chính, thi đấu, góp mặt, play, plays, starts, lines up / vắng mặt, vắng, treo giò, ngồi ngoài, suspended,
sidelined, ruled out, misses, miss

still, vẫn là, remains, continues, continue, đương nhiệm / stepped down, resigned, retired, succeeded by, replaced by,
former, no longer, từ chức, nghỉ hưu, thôi chức, mãn nhiệm, left the, has left, rời ghế, không còn là

modified, modify, modifies, changed, change, changes, edited, edits, touched, touches, updated, sửa, sửa đổi, chỉnh
sửa, thay đổi / unchanged, untouched, unmodified, giữ nguyên

active, in force, in effect, ongoing, còn hiệu lực, runs through, runs until, running until, valid until, valid
through, có hiệu lực đến, kéo dài đến, vẫn chạy, still running / expired, ended, terminated, lapsed, hết hạn, hết hiệu
lực, chấm dứt, kết thúc, thanh lý, ceased, wound down, discontinued

deployed, deploy, rolled out, rollout, released, live, launched, in production, triển khai, phát hành, ra mắt, lên
sóng, áp dụng / scheduled, planned, in staging, in testing, in beta, held back, rolled back, dự kiến, thử nghiệm, đang
thử nghiệm, hoãn, lùi, tạm hoãn, pushed to, slipped to

refund, refunded, refundable, refunds, money back, goes back to, hoàn tiền, hoàn lại, được hoàn, hoàn vé, hoàn / non
refundable, nonrefundable, forfeited, forfeit, no refund, no refunds, mất cọc, mất phí, mất tiền

return, returned, returnable, exchange, đổi, trả, đổi trả, đổi hàng, trả hàng / window has closed, window closed, past
the window, final sale, past the, outside the window, quá hạn đổi, hết hạn đổi, quá thời hạn

beat, beaten, won, win, defeat, defeated, thắng, đánh bại, hạ / went down, lost, fell to, slumped, were held, was
held, drew, draw, tied, thua, để thua, hòa, bị cầm hòa, bị loại, knocked out, crashed out

delayed, delay, hoãn, trễ, muộn, dời / thay vì đúng, departed on time, đúng giờ, on time, on schedule, đúng lịch

delayed, delay, hoãn, trễ, muộn, dời, thay vì, thay cho giờ, instead of, pushed back, pushed to, giờ mới, new
departure / ahead of schedule, sớm hơn, đúng giờ

carry, carries, fit, fits, hold, holds, lift, handle, accept, accommodate, seat, seats, chở, tải, chứa, nâng, vừa, đạt
chuẩn, mang, within the limit, under the limit, below the limit, within limits, trong giới hạn, trong ngưỡng, dưới
ngưỡng, comfortably under, well under, room to spare / exceeds, exceed, exceeding, over the limit, above the limit,
over the, over its, over limit, too heavy, too big, too large, too wide, too tall, overload, overloaded, quá tải, vượt
tải, vượt mức, vượt giới hạn, vượt ngưỡng, vượt quá, quá cỡ, quá khổ, quá cân, cao gấp, gấp đôi mức

safe, safely, an toàn, ok, okay, dùng chung, uống chung, combine, mix, take, uống, dùng, eat, ăn, should, nên / advise
against, advised against, recommend against, recommended against, avoid, avoided, should never, must never, never, not
recommended, stay away, steer clear, raises the risk, raise the risk, increases the risk, increase the risk, nguy cơ,
tăng nguy cơ, chống chỉ định, tránh, kiêng, hạn chế, dangerous, unsafe, toxic

free, trống, rảnh, còn trống, nothing on, nothing scheduled, nothing planned, no meetings, available, clear, open,
works, is open / booked, taken, busy, bận, kín, occupied, reserved, đã đặt, có lịch, đã có lịch, có người đặt

paid, pay, thanh toán, trả, nộp, chuyển khoản, settled / chờ thanh toán, chưa thanh toán, unpaid, outstanding,
overdue, quá hạn, awaiting payment, payment pending, due on, còn nợ, nợ

resolved, fixed, solved, closed, khắc phục, sửa xong, xử lý xong, giải quyết, đóng / unresolved, still open, reopened,
investigating, being investigated, đang điều tra, đang xử lý, tái diễn, còn lỗi, recurring

included, include, includes, comes with, đi kèm / add on, addon, sold separately, tính thêm, mua thêm, nâng cấp, phụ
thu, extra fee

confirmed, confirm, xác nhận, chốt / tentative, unconfirmed, waiting list, waitlist, waitlisted, chờ xác nhận, danh
sách chờ, dự kiến

reached, reach, hit, met, meet, achieved, achieve, đạt, hoàn thành, hit its, on target, beat, exceeded, surpassed,
vượt / short of, fell short, missed, shy of, below, under, hụt, thiếu, chưa tới, mới chỉ, only reached

enough, sufficient, cover, covers, afford, fit, fits, seats up to, comfortably, room to spare, đủ, đủ tiền, đủ để /
short, shortfall, short by, too small, too short, too few, too little, quá nhỏ, quá ít, thiếu, còn thiếu, not quite,
insufficient

upgrade, upgraded, upgradeable, upgradable, nâng cấp, expandable, mở rộng, replaceable, swappable, khe, slots, slot /
soldered, hàn chết, hàn, glued, fixed, non removable, built in

member, thành viên, belongs to, thuộc, part of, gia nhập, joined / left, rời, withdrew, rút, applicant, candidate
country, ứng viên, observer, quan sát viên

same, giống, cùng, như nhau, identical, equal, bằng / differ, different, khác, whereas, higher, lower, chênh

needs, need, cần, phải, required, mandatory, bắt buộc, xin, apply / no need, waived, exempt, miễn, free entry, on
arrival, visa free, visa exempt, không cần

human, person, live agent / bot, automated, ai agent

vegan, vegetarian, chay, thuần chay / meat, thịt, egg, eggs, trứng, sữa, milk, dairy, cheese, butter, cá, fish, honey,
gelatin

edible, ăn được / poisonous, toxic, độc

waterproof, water resistant, chống nước, kháng nước / splash only, not rated, hư hỏng do nước

growing, growth, grew, tăng trưởng, tăng, expand, expanded, expanding / contracted, shrank, shrinking, contraction,
suy giảm, âm, giảm, recession

unanimous, unanimously, nhất trí / split, divided, dissent, dissented, voted against, phản đối

encrypted, mã hóa / plaintext, plain text, unencrypted, cleartext

healthy, ổn định, bình thường, normal / degraded, unhealthy, critical, warning, cảnh báo, bất thường

moved, move, rescheduled, dời, chuyển, đổi / stays, stays on, stay, remains, giữ nguyên, vẫn như cũ

apply, applies, áp dụng / ngoài phạm vi, outside the scope, loại trừ, excluded, exempt

isolated, separate, riêng / shared, chung, dùng chung

tăng, tăng lên, rise, raise, raised, rose, increase, increased, up, higher / giữ nguyên, không đổi, không thay đổi,
unchanged, flat, stayed, steady, đi ngang, kept, held

giảm, fall, fell, cut, decrease, decreased, drop, dropped, lower, lowered / giữ nguyên, không đổi, không thay đổi,
unchanged, flat, stayed, steady, đi ngang, kept, held
"""
PAIRS = tuple(tuple(tuple(side.split(",")) for side in re.split(r"\s/\s", row)) for row in ROWS.strip().split("\n\n"))
CAPITAL = "A-ZÀÁÂÃÈÉÊÌÍÒÓÔÕÙÚÝĂĐĨŨƠƯẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶỸ"
"""The capital letters of both languages, for a class of a pattern."""
VISA = re.compile(r"thị\sthực", re.IGNORECASE)
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


class Member(NamedTuple):
    """A word of one side of a row, at some words of a text."""

    row: int
    side: int
    first: int
    last: int
    """The index behind its last word."""


def folded_words(text: str) -> list[str]:
    """The words of a text in lower case, with tones where the syllable has them."""
    return list(_folded_words(text))


@lru_cache(maxsize=512)
def _folded_words(text: str) -> tuple[str, ...]:
    """The same for a clause that several rules look at."""
    return tuple([fold_word(match.replace("’", "'")) for match in WORD.findall(VISA.sub("visa", text))])


@lru_cache(maxsize=1)
def _table() -> dict[str, list[tuple[tuple[str, ...], int, int]]]:
    by_first: dict[str, list[tuple[tuple[str, ...], int, int]]] = {}
    for row, sides in enumerate(PAIRS):
        for side, phrases in enumerate(sides):
            for phrase in phrases:
                words = tuple(map(fold_word, phrase.split()))
                by_first.setdefault(words[0], []).append((words, row, side))
    for known in by_first.values():
        known.sort(key=lambda one: -len(one[0]))
    return by_first


def find_members(words: Sequence[str]) -> list[Member]:
    """The words that a row knows, in order; of one row the longest phrase at a place."""
    table = _table()
    found: list[Member] = []
    covered: dict[int, int] = {}
    for index, word in enumerate(words):
        taken: set[int] = set()
        for phrase, row, side in table.get(word, ()):
            end = index + len(phrase)
            if row in taken or covered.get(row, 0) > index or tuple(words[index:end]) != phrase:
                continue
            taken.add(row)
            covered[row] = end
            found.append(Member(row, side, index, end))
    return found
