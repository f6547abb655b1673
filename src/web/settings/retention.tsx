import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewRetentionRun, Retention, RetentionRun } from '../../contract/retention.ts'
import { useProved } from '../access/account/use-proved.tsx'
import { ceremonyMessage } from '../access/login/ceremony-messages.ts'
import { retention, retentionRuns, runRetention } from '../data/retention.ts'
import { ApiProblem } from '../data/send.ts'
import { Button } from '../ui/button.tsx'
import { Confirmation } from '../ui/dialogs/confirmation.tsx'
import { HoldDialog } from '../ui/dialogs/hold-dialog.tsx'
import { SwitchField } from '../ui/dialogs/switch-field.tsx'
import { EndHold, type HeldStudent } from '../ui/end-hold.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import { momentText } from '../ui/moment-text.ts'
import { useSchool } from '../ui/school.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { toast } from '../ui/toasts.ts'
import css from './webhooks.module.css'

/** The students whose time is over, their holds, and the runs that erase them. */
export default function RetentionPart(_: { readonly onClose: () => void }) {
  const { data: preview, error, isError, refetch } = useQuery(retention)
  const { t } = useTranslation()
  if (!preview) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  return (
    <>
      <FieldGroup title={t('retention.title')} hint={t(preview.rule ? 'retention.hint' : 'retention.noRule')}>
        <Preview preview={preview} />
        <Run preview={preview} />
      </FieldGroup>
      <Runs />
    </>
  )
}

function Preview({ preview: { due, partial, kept, unended } }: { readonly preview: Retention }) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const [held, setHeld] = useState<HeldStudent>()
  const dateIn = (date: string | null) => (date ? t('retention.until', { date: format.date(date) }) : '')
  return (
    <>
      {due.length + partial.length === 0 && <p>{t('retention.none')}</p>}
      <Rows
        title={t('retention.due')}
        rows={due}
        about={(row) => dueText(row, format.date, t)}
        onHold={setHeld}
      />
      <Rows
        title={t('retention.partial')}
        rows={partial}
        about={({ until }) => t('retention.recordUntil', { date: format.date(until) })}
        onHold={setHeld}
      />
      <Rows
        title={t('retention.kept')}
        rows={kept}
        about={({ reason, until }) => `${t(`retention.reasons.${reason}`)} ${dateIn(until)}`}
        action={(row) => row.reason === 'hold' && <EndHold student={row} />}
      />
      <Rows
        title={t('retention.unended')}
        hint={t('retention.unendedHint')}
        rows={unended}
        about={({ last_lesson_on: last }) =>
          last ? t('retention.last', { date: format.date(last) }) : t('retention.never')
        }
      />
      {held && <HoldDialog student={held} onClose={() => setHeld(undefined)} />}
    </>
  )
}

function dueText(
  { enrolments, counts }: Retention['due'][number],
  date: (day: string) => string,
  t: TFunction,
) {
  const classes = enrolments.map(({ license_class: name, retained_until }) =>
    t('retention.classUntil', { name, date: date(retained_until) }),
  )
  const lessons = t('retention.lessons', { count: counts.appointment ?? 0 })
  return [...(classes.length > 0 ? classes : [t('retention.noLessons')]), lessons].join(' · ')
}

type RowsProps<Row extends HeldStudent> = {
  readonly title: string
  readonly hint?: string
  readonly rows: readonly Row[]
  readonly about: (row: Row) => string
  readonly action?: (row: Row) => ReactNode
  readonly onHold?: (row: Row) => void
}

function Rows<Row extends HeldStudent>({ title, hint, rows, about, action, onHold }: RowsProps<Row>) {
  const { t } = useTranslation()
  if (rows.length === 0) return null
  return (
    <section aria-label={title}>
      <h3>
        {title} ({rows.length})
      </h3>
      {hint && <p>{hint}</p>}
      <ul className={css.list}>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: A student can have several trainings.
          <li key={index} className={css.row}>
            <strong className={css.url}>{row.name}</strong>
            <span>{about(row)}</span>
            <span className={css.actions}>
              {action?.(row)}
              {onHold && (
                <Button aria-label={t('retention.holdWhom', { name: row.name })} onClick={() => onHold(row)}>
                  {t('retention.hold')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Run({ preview: { due, partial, digest } }: { readonly preview: Retention }) {
  const client = useQueryClient()
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const [agreed, setAgreed] = useState(false)
  const count = due.length + partial.length
  const { run, error, isBusy, dialog } = useProved(
    (given: NewRetentionRun) => runRetention(given),
    async (made) => {
      toast({ kind: 'done', text: runText(made, t) })
      await client.invalidateQueries()
    },
  )
  if (count === 0) return dialog
  return (
    <>
      <SwitchField label={t('retention.agree')} isOn={agreed} onChange={setAgreed} />
      <FailureNotice error={error} explain={explain} />
      <Button look="danger" isBusy={isBusy} onClick={() => setAsking(true)}>
        {t('retention.run', { count })}
      </Button>
      {isAsking && (
        <Confirmation
          title={t('retention.runTitle')}
          keep={t('retention.keep')}
          act={t('retention.erase')}
          isBusy={false}
          error={undefined}
          onAct={() => {
            setAsking(false)
            run({ digest, student_ids: null, agreed })
          }}
          onClose={() => setAsking(false)}
        >
          {t('retention.runHint')}
        </Confirmation>
      )}
      {dialog}
    </>
  )
}

function explain(error: unknown, t: TFunction): string {
  if (error instanceof ApiProblem && error.is('preview_outdated')) return t('retention.outdated')
  if (error instanceof ApiProblem && error.is('owner_role_needed')) return t('retention.roleNeeded')
  return ceremonyMessage(error, t)
}

function runText({ erased, restricted, skipped }: RetentionRun, t: TFunction): string {
  const counts = { erased: erased.length, restricted: restricted.length, skipped: skipped.length }
  return t('retention.done', counts)
}

function Runs() {
  const school = useSchool()
  const { t } = useTranslation()
  const { data: runs } = useQuery(retentionRuns)
  return (
    <FieldGroup title={t('retention.runs')}>
      {runs?.length === 0 && <p>{t('retention.noRuns')}</p>}
      <ul className={css.list}>
        {runs?.map((run) => (
          <li key={run.id} className={css.row}>
            <strong>{momentText(run.at, school)}</strong>
            <span>{run.actor.name}</span>
            <span>{runText(run, t)}</span>
            <span>
              {[...new Set(run.skipped.map(({ reason }) => t(`retention.reasons.${reason}`)))].join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </FieldGroup>
  )
}
