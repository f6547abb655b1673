import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { Button } from '../ui/button.tsx'
import look from '../ui/field.module.css'
import { Notice } from '../ui/notice.tsx'
import { problemWords } from '../ui/problem-words.ts'
import { type Draft, discard, keyOf, save, type TextField, textOf, type, useDrafts } from './drafts.ts'
import css from './lesson-text.module.css'

type LessonTextProps = {
  readonly lesson: Appointment
  readonly field: TextField
  readonly refetch: () => Promise<unknown>
}

/** A text of a lesson, as a field that is always there to write in. */
export function LessonText({ lesson, field, refetch }: LessonTextProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const id = useId()
  const draft = useDrafts().get(keyOf(lesson, field))
  const isSending = draft?.isSending ?? false
  const send = (typed: Draft) => void save(typed, client).then(refetch)
  return (
    <div className={css.notes}>
      <label htmlFor={id}>{t(`lesson.${field}`)}</label>
      <textarea
        id={id}
        className={`${look.field} ${css.text}`}
        rows={2}
        readOnly={isSending}
        value={draft?.text ?? textOf(lesson, field)}
        onChange={({ target }) => type(lesson, field, target.value)}
      />
      {draft?.theirs && <Conflict draft={draft} theirs={draft.theirs} onKeep={send} />}
      {draft?.error !== undefined && (
        <Notice kind="bad" title={t('booking.notSaved')} isAnswer>
          {problemWords(draft.error, t)}
        </Notice>
      )}
      {draft && !draft.theirs && (
        <div className={css.answers}>
          <Button className={css.button} look="primary" isBusy={isSending} onClick={() => send(draft)}>
            {t('action.save')}
          </Button>
          <Button className={css.button} disabled={isSending} onClick={() => discard(draft)}>
            {t('action.cancel')}
          </Button>
        </div>
      )}
    </div>
  )
}

type ConflictProps = {
  readonly draft: Draft
  readonly theirs: Appointment
  readonly onKeep: (draft: Draft) => void
}

/** Two have written: both versions, and the choice. The own one stands in the field above, and can be changed still. */
function Conflict({ draft, theirs, onKeep }: ConflictProps) {
  const { t } = useTranslation()
  return (
    <Notice kind="warn" title={t('stale.title')} isAnswer>
      <p>{t('today.staleNotes')}</p>
      <dl className={css.versions}>
        <dt>{t('stale.mine')}</dt>
        <dd>{draft.text || '–'}</dd>
        <dt>{t('stale.theirs')}</dt>
        <dd>{textOf(theirs, draft.field) || '–'}</dd>
      </dl>
      <div className={css.answers}>
        <Button className={css.button} look="primary" onClick={() => onKeep({ ...draft, seen: theirs })}>
          {t('stale.keepMine')}
        </Button>
        <Button className={css.button} onClick={() => discard(draft)}>
          {t('stale.takeTheirs')}
        </Button>
      </div>
    </Notice>
  )
}
