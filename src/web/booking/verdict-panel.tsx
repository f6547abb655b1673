import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Slot } from '../../contract/slot.ts'
import type { Verdict } from '../../domain/booking.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { LessonDraft, MissingField } from '../lessons/verdict.ts'
import { loadText } from '../lessons/verdict-texts.ts'
import { Notice } from '../ui/notice.tsx'
import { useSchool } from '../ui/school.tsx'
import { Reasons } from './reasons.tsx'
import { RefusalNotice } from './refusal-notice.tsx'
import { WarningNotice } from './warning-notice.tsx'

type VerdictPanelProps = {
  readonly draft: LessonDraft
  readonly missing: MissingField | undefined
  /** Undefined until the rules' data are loaded. */
  readonly verdict: Verdict | undefined
  /** The service's refusal. */
  readonly refusal: Refusal | undefined
  readonly lessons: readonly Appointment[]
  readonly warnings: readonly string[]
  readonly onPick: (slot: Slot) => void
}

/** The verdict on the form before it is sent, and the service's response. Shows warnings even if no rule is broken. */
export function VerdictPanel(props: VerdictPanelProps) {
  const { missing, verdict, refusal, warnings } = props
  const { t } = useTranslation()
  if (!refusal && missing) {
    return (
      <Notice kind="open" title={t('booking.incomplete')}>
        {t(`booking.missing.${missing}`)}
      </Notice>
    )
  }
  if (!refusal && verdict?.refusals.length === 0) return <Allowed {...{ verdict, warnings }} />
  return (
    <>
      <NotAllowed {...props} />
      <WarningNotice warnings={warnings} />
    </>
  )
}

type AllowedProps = { readonly verdict: Verdict; readonly warnings: readonly string[] }

function Allowed({ verdict, warnings }: AllowedProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const needsOverride = verdict.overrides_used.length > 0
  return (
    <Notice
      kind={needsOverride || warnings.length > 0 ? 'warn' : 'good'}
      title={t(needsOverride ? 'verdict.override' : 'verdict.allowed')}
    >
      {warnings.length > 0 && <Reasons reasons={warnings} />}
      <p>{loadText(verdict, school, t).join(' · ')}</p>
    </Notice>
  )
}

/** Shows the service's refusal or that of the local rules, or a notice while their data are loading. */
function NotAllowed({ draft, verdict, refusal, lessons, onPick }: VerdictPanelProps) {
  const { t } = useTranslation()
  if (refusal) return <RefusalNotice {...{ draft, lessons, onPick }} refusals={[refusal]} isAnswer />
  if (!verdict) {
    return (
      <Notice kind="open" title={t('booking.checking')}>
        {t('booking.unchecked')}
      </Notice>
    )
  }
  // A separate key, so that the service's refusal appears as a new message.
  return <RefusalNotice key="rules" {...{ draft, lessons, onPick }} refusals={verdict.refusals} />
}
