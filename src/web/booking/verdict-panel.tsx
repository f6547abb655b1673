import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { refusalWords } from '../board/refusal-words.ts'
import { type Draft, type Gap, type Verdict, verdictFor } from '../board/verdict.ts'
import { loadWords } from '../board/verdict-words.ts'
import { Icon } from '../ui/icon.tsx'
import { useSchool } from '../ui/school.tsx'
import css from './verdict-panel.module.css'

type VerdictPanelProps = {
  readonly draft: Draft
  readonly gap: Gap | undefined
  readonly lessons: readonly Appointment[] | undefined
}

/** What the rules say of the form as it stands, before it is sent. */
export function VerdictPanel({ draft, gap, lessons }: VerdictPanelProps) {
  const school = useSchool()
  const { t } = useTranslation()
  if (gap) return <Panel kind="open" title={t('booking.incomplete')} lines={[t(`booking.missing.${gap}`)]} />
  const verdict = lessons && verdictFor(draft, lessons, school)
  if (!verdict) return <Panel kind="open" title={t('booking.checking')} lines={[t('booking.unchecked')]} />
  const { refusal } = verdict
  const words = loadWords(verdict, school, t)
  if (!refusal) return <Panel kind={kindOf(verdict)} title={t(`verdict.${kindOf(verdict)}`)} lines={words} />
  const reason = refusalWords(refusal, { ...draft, appointments: lessons }, school, t)
  return <Panel kind="refused" title={t('verdict.refused')} lines={[reason]} />
}

function kindOf({ overrides }: Verdict): 'allowed' | 'override' {
  return overrides.length > 0 ? 'override' : 'allowed'
}

type PanelProps = {
  readonly kind: 'open' | 'allowed' | 'override' | 'refused'
  readonly title: string
  readonly lines: readonly string[]
}

function Panel({ kind, title, lines }: PanelProps) {
  return (
    <div className={css.panel} data-kind={kind} role="status">
      <Icon name={kind === 'allowed' ? 'check' : kind === 'open' ? 'clock' : 'alert'} size={20} />
      <div>
        <strong>{title}</strong>
        <p>{lines.join(' · ')}</p>
      </div>
    </div>
  )
}
