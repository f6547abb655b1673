import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { lessonText } from '../lessons/lesson-texts.ts'
import { Button } from '../ui/button.tsx'
import { fieldText } from '../ui/field-texts.ts'
import { Notice } from '../ui/notice.tsx'
import { useSchool } from '../ui/school.tsx'
import { dueLines } from './due-items.ts'
import { discardEntry, resendEntry, useOutbox } from './outbox.ts'
import { IDENTITY, type OutboxEntry } from './outbox-entry.ts'
import css from './outbox-notices.module.css'
import type { Outcome } from './outcome.ts'

export function OutboxNotices() {
  const { t } = useTranslation()
  const entries = useOutbox()
  const waiting = entries.filter(({ hasWaited, refused }) => hasWaited && !refused).length
  const refused = entries.filter((entry) => entry.refused)
  if (waiting + refused.length === 0) return null
  return (
    <div className={css.notices}>
      {waiting > 0 && <Notice kind="open">{t('today.waiting', { count: waiting })}</Notice>}
      {refused.map((entry) => (
        <Refused key={entry.seen.id} entry={entry} />
      ))}
    </div>
  )
}

/** A refused entry with the reason or, after a conflict, both versions to choose from. */
function Refused({ entry }: { entry: OutboxEntry }) {
  const school = useSchool()
  const { t } = useTranslation()
  const { seen, change, signatures = [], refused } = entry
  const isOwn = Object.keys(change).length > 0 || signatures.some(({ due }) => !due)
  const others = signatures.flatMap(({ due }) => (due ? dueLines(due, school, t)[0] : []))
  const names = [...(isOwn ? [lessonText(seen, school, t)] : []), ...others]
  const title = `${t('booking.notSaved')}: ${names.join('; ')}`
  const theirs = refused?.theirs
  return (
    <Notice kind={theirs ? 'warn' : 'bad'} title={title} isAnswer>
      <p>{theirs ? t('today.stale') : refused?.why}</p>
      <dl className={css.versions}>
        <dt>{t('stale.mine')}</dt>
        <Side values={change} />
        {signatures.map(({ key, body }) => (
          <dd key={key}>
            {t('sign.signature')}: {body.name}
          </dd>
        ))}
        {theirs && <dt>{t('stale.theirs')}</dt>}
        {theirs && <Side values={theirValues(entry, theirs)} />}
      </dl>
      <div className={css.answers}>
        {theirs?.status !== 'cancelled' && (
          <Button className={css.button} look="primary" onClick={() => void resendEntry(entry)}>
            {t(theirs ? 'stale.keepMine' : 'action.retry')}
          </Button>
        )}
        <Button className={css.button} onClick={() => void discardEntry(entry)}>
          {t(theirs ? 'stale.takeTheirs' : 'form.discard')}
        </Button>
      </div>
    </Notice>
  )
}

function Side({ values }: { values: Partial<Appointment | Outcome> }) {
  const school = useSchool()
  const { t } = useTranslation()
  return fieldText('appointment', values, school, t).map(({ name, label, texts }) => (
    <dd key={name}>
      {label}: {texts.join(', ')}
    </dd>
  ))
}

/** Returns the lesson's status, its values of the entered fields, and its student and start if they have changed. */
function theirValues({ seen, change }: OutboxEntry, theirs: Appointment): Partial<Appointment> {
  const changed = IDENTITY.filter((name) => theirs[name] !== seen[name])
  const names = new Set([...Object.keys(change), ...changed, 'status'])
  return Object.fromEntries(Object.entries(theirs).filter(([name]) => names.has(name)))
}
