import { CANCELLATION_REASONS, CANCELLED_BY } from '../domain/cancellation.ts'
import * as range from '../domain/ranges.ts'
import * as is from './checks.ts'

const MINUTES: range.Range = { min: -1_000_000_000, max: 1_000_000_000 }

/** A lesson's cancellation, as it is stored in JSON. */
export const cancellation = is.object(
  {
    by: is.oneOf(CANCELLED_BY),
    reason: is.orNull(is.oneOf(CANCELLATION_REASONS)),
    note: is.orNull(is.text(range.NOTES_LENGTH)),
    at: is.moment,
    notice_minutes: is.integer(MINUTES),
    is_late: is.flag,
    fee_percent: is.integer(range.FEE_PERCENT),
    charged: is.flag,
  },
  'a cancellation: by, reason, note, at, notice_minutes, is_late, fee_percent, charged',
)

const WHAT = 'hours, or working_days, or days_before with until'
const days = is.integer(range.NOTICE_DAYS)
const NOTICES = [
  is.object({ hours: is.integer(range.NOTICE_HOURS) }, WHAT),
  is.object({ working_days: days }, WHAT),
  is.object({ days_before: days, until: is.timeOfDay }, WHAT),
  is.object({ days_before: days, until: is.timeOfDay, working: is.flag }, WHAT),
]

/** A step of a school's policy, as it is stored in JSON. */
export const policyStep = is.object(
  {
    categories: is.orNull(is.listOf(is.text(range.CATEGORY_LENGTH), range.MOST_POLICY_STEPS)),
    notice: (value) => (NOTICES.some((check) => check(value) === undefined) ? undefined : `must be ${WHAT}`),
    fee_percent: is.integer(range.FEE_PERCENT),
  },
  'a step of a policy: categories, notice, fee_percent',
)
