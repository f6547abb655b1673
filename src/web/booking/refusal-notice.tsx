import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Slot } from '../../contract/slot.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { refusalMessage } from '../lessons/refusal-messages.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import { Notice } from '../ui/notice.tsx'
import { useSchool } from '../ui/school.tsx'
import { Alternatives } from './alternatives.tsx'
import { Reasons } from './reasons.tsx'
import { useAlternatives } from './use-alternatives.ts'
import { useSameTime } from './use-free-at.ts'

/** The maximum number of other instructors offered at the same time. */
const MAX_SAME = 3

type RefusalNoticeProps = {
  readonly draft: LessonDraft
  readonly refusals: readonly Refusal[]
  readonly lessons: readonly Appointment[]
  /** Whether the service has refused the lesson, not only the local rules. */
  readonly isAnswer?: boolean
  readonly onPick: (slot: Slot) => void
}

/** Every reason for the refusal, and the nearest possible times. */
export function RefusalNotice({ draft, refusals, lessons, isAnswer = false, onPick }: RefusalNoticeProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const nearest = useAlternatives(draft)
  const same = useSameTime(draft, true)?.slice(0, MAX_SAME)
  const about = { ...draft, appointments: lessons }
  return (
    <Notice kind="bad" title={t(isAnswer ? 'booking.notSaved' : 'verdict.refused')} isAnswer={isAnswer}>
      <Reasons reasons={refusals.map((refusal) => refusalMessage(refusal, about, school, t))} />
      <Alternatives same={same} nearest={nearest} instructorId={draft.instructor_id} onPick={onPick} />
    </Notice>
  )
}
