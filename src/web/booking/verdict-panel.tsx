import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Slot } from '../../contract/slot.ts'
import type { Verdict } from '../../domain/booking.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { Draft, Missing } from '../lessons/verdict.ts'
import { loadWords } from '../lessons/verdict-words.ts'
import { Notice } from '../ui/notice.tsx'
import { useSchool } from '../ui/school.tsx'
import { RefusalNotice } from './refusal-notice.tsx'

type VerdictPanelProps = {
  readonly draft: Draft
  readonly missing: Missing | undefined
  /** None while what the rules look at has not been read. */
  readonly verdict: Verdict | undefined
  /** What the service has refused it for. */
  readonly refusal: Refusal | undefined
  readonly lessons: readonly Appointment[]
  readonly onPick: (slot: Slot) => void
}

/** What the rules say of the form as it stands, before it is sent, and what the service has said. */
export function VerdictPanel({ draft, missing, verdict, refusal, lessons, onPick }: VerdictPanelProps) {
  const school = useSchool()
  const { t } = useTranslation()
  if (refusal) return <RefusalNotice {...{ draft, lessons, onPick }} refusals={[refusal]} isAnswer />
  if (missing) {
    return (
      <Notice kind="open" title={t('booking.incomplete')}>
        {t(`booking.missing.${missing}`)}
      </Notice>
    )
  }
  if (!verdict) {
    return (
      <Notice kind="open" title={t('booking.checking')}>
        {t('booking.unchecked')}
      </Notice>
    )
  }
  const { refusals, overrides_used } = verdict
  // With a key of its own: what answers a click is another message than what stood there before.
  if (refusals.length > 0) return <RefusalNotice key="rules" {...{ draft, refusals, lessons, onPick }} />
  const needsOverride = overrides_used.length > 0
  return (
    <Notice
      kind={needsOverride ? 'warn' : 'good'}
      title={t(needsOverride ? 'verdict.override' : 'verdict.allowed')}
    >
      {loadWords(verdict, school, t).join(' · ')}
    </Notice>
  )
}
