import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Plan, PlannedLesson } from '../../contract/plan.ts'
import { timeOf } from '../../domain/local-time.ts'
import { ghostName, whoIs } from '../plans/plan-texts.ts'
import type { School } from '../ui/school.tsx'
import type { GridEvent } from './grid-event.ts'

const NO_COLOR = '#868e96'

/** Returns the events of proposed lessons. Those that no longer fit are marked. */
export function ghostEvents(plan: Plan, school: School, t: TFunction): readonly GridEvent[] {
  const broken = new Set(plan.broken.map(({ id }) => id))
  return plan.proposed.map((one): GridEvent => {
    const { id, instructor_id, start_at, end_at, is_locked, lesson_type_id } = one
    const mark = broken.has(id) ? t('planning.broken') : isOutsideWish(one) ? t('planning.outside') : ''
    return {
      id,
      start_at,
      end_at,
      resources: [instructor_id],
      className: `ghost${is_locked ? ' ghost-locked' : ''}`,
      isMovable: true,
      style: { '--lesson': school.lessonType.get(lesson_type_id)?.color ?? NO_COLOR },
      content: {
        kind: 'ghost',
        text: {
          time: `${timeOf(start_at)}–${timeOf(end_at)}`,
          student: whoIs(one, school, t),
          mark,
          label: [t('planning.proposed'), ghostName(one, school, t), is_locked && t('planning.locked'), mark]
            .filter(Boolean)
            .join(', '),
        },
      },
    }
  })
}

function isOutsideWish({ warnings }: PlannedLesson): boolean {
  return warnings.some(({ code }) => code === 'outside_wish')
}

/** Returns a proposed lesson as a lesson of the board, so that both are moved by the same rules. */
export function ghostLesson(one: PlannedLesson): Appointment {
  const { wish_id: _, warnings: __, is_locked: ___, score: ____, ...lesson } = one
  return { ...UNBOOKED, ...lesson }
}

const UNBOOKED = {
  status: 'planned',
  enrolment_id: null,
  attendees: [],
  seats: null,
  title: '',
  notes: null,
  topic: null,
  pickup_place: null,
  location_id: null,
  exam_result: null,
  practised: null,
  actual_start_at: null,
  actual_end_at: null,
  overrides_used: [],
  series_id: null,
  license_class: null,
  cancellation: null,
  no_show_fee_percent: null,
  confirmed_at: null,
  created_at: '',
  updated_at: '',
  version: 0,
} satisfies Partial<Appointment>
