import type { Actor } from '../../contract/actor.ts'
import type { Candidate } from '../../contract/offer.ts'
import type { TaughtLessonType } from '../../db/calendars/calendars.ts'
import type { GapCandidate } from '../../db/offers/gap-candidates.ts'
import { timed } from '../../domain/agenda.ts'
import { type TimedAgenda, verdictOnTimed } from '../../domain/booking.ts'
import type { Darkness } from '../../domain/daylight.ts'
import { type Gap, lessonIn, type StudentWithWishes, type Wish } from '../../domain/gaps.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import { dateOf, dayOf, mondayOf } from '../../domain/local-time.ts'
import { practiceTypeIn } from '../../domain/plan-asks.ts'
import { openDrivesIn, type RequirementProgress, type Training } from '../../domain/progress.ts'
import { MAX_OFFERS_A_WEEK } from '../../domain/ranges.ts'
import { isSkipped, localNow } from '../../domain/time-zone.ts'

export type Search = {
  readonly gap: Gap
  readonly actor: Actor
  readonly lessonTypes: ReadonlyMap<string, TaughtLessonType>
  readonly darkness: Darkness | undefined
}

type StudentData = {
  readonly training: Training | undefined
  readonly agendaFor: (lesson_type_id: string) => TimedAgenda
}

/** Returns a student as a candidate, with the first wish that the rules allow. Undefined if they allow no lesson. */
export function candidateFor(
  { student, wishes }: StudentWithWishes<GapCandidate>,
  search: Search,
  { training, agendaFor }: StudentData,
): Candidate | undefined {
  if (!training) return undefined
  const open = openDrivesIn(training, search.actor.tenant.unit_minutes)
  if (!wishes && open.length === 0) return undefined
  for (const wish of wishes ?? [undefined]) {
    const type = search.lessonTypes.get(wish?.lesson_type_id ?? '') ?? lessonTypeFor(open, wish, search)
    if (!type) continue
    const minutes = wish?.minutes ?? Math.min(type.default_minutes, minutesOf(intervalOf(search.gap)))
    if (!isPossible(search, { minutes, type })) continue
    if (!isAllowed(search, agendaFor(type.id), { minutes, type })) continue
    const reasons = reasonsFor(student, search, { wish, open, type })
    return {
      student_id: student.student_id,
      wish_id: wish?.id ?? null,
      lesson_type_id: type.id,
      minutes,
      reasons,
    }
  }
  return undefined
}

type Lesson = { readonly minutes: number; readonly type: TaughtLessonType }

function isPossible({ gap, actor, darkness }: Search, { minutes, type }: Lesson): boolean {
  const lesson = lessonIn(gap, minutes)
  const isTooLight = type.only_in_the_dark && darkness?.isDark(lesson) === false
  return !isTooLight && !isSkipped(lesson.end_at, actor.tenant.timezone)
}

function isAllowed({ gap }: Search, agenda: TimedAgenda, { minutes, type }: Lesson): boolean {
  const { start_at, end_at } = lessonIn(gap, minutes)
  const proposal = timed({ start_at, end_at, counts_toward_limits: type.counts_toward_limits })
  return verdictOnTimed(proposal, agenda).refusals.length === 0
}

type MatchedLesson = {
  readonly wish: Wish | undefined
  readonly open: readonly RequirementProgress[]
  readonly type: TaughtLessonType
}

function reasonsFor(
  { preferred_instructor_id, offers, since }: GapCandidate,
  { gap, actor }: Search,
  { wish, open, type }: MatchedLesson,
): Candidate['reasons'] {
  const days = dayOf(localNow(actor.now, actor.tenant.timezone)) - dayOf(since)
  const special = type.category === 'special' && open.find((one) => one.lesson_type_id === type.id)
  const reasons: Candidate['reasons'] = []
  if (wish?.id === null)
    reasons.push({ code: 'matches_week', params: { week_start: mondayOf(dateOf(gap.start_at)) } })
  else if (wish) reasons.push({ code: 'matches_wish', params: { wish_id: wish.id } })
  reasons.push({ code: 'waiting', params: { days: Math.max(0, days), since } })
  if (special) {
    const { lesson_type_id, open_units } = special
    reasons.push({ code: 'special_drive_missing', params: { lesson_type_id, open_units } })
  }
  if (preferred_instructor_id === gap.instructor_id)
    reasons.push({ code: 'preferred_instructor', params: {} })
  const open_units = open.reduce((sum, one) => sum + one.open_units, 0)
  if (!wish) reasons.push({ code: 'no_wish', params: { open_units } })
  if (offers >= MAX_OFFERS_A_WEEK) reasons.push({ code: 'offered_often', params: { offers } })
  return reasons
}

/** Returns the open special drive that the time is long and dark enough for, or else ordinary practice. */
function lessonTypeFor(
  open: readonly RequirementProgress[],
  wish: Wish | undefined,
  { gap, lessonTypes, darkness, actor }: Search,
): TaughtLessonType | undefined {
  const { unit_minutes } = actor.tenant
  for (const { lesson_type_id, min_one_block_units } of open) {
    const type = lessonTypes.get(lesson_type_id)
    if (!type) continue
    const minutes = wish?.minutes ?? Math.min(type.default_minutes, minutesOf(intervalOf(gap)))
    const isDarkEnough = !type.only_in_the_dark || darkness?.isDark(lessonIn(gap, minutes)) === true
    const isLongEnough = minutes >= Math.min(type.default_minutes, (min_one_block_units ?? 1) * unit_minutes)
    if (isDarkEnough && isLongEnough) return type
  }
  return practiceTypeIn(lessonTypes)
}
