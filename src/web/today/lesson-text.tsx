import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { NOTES_LENGTH } from '../../domain/ranges.ts'
import { Button } from '../ui/button.tsx'
import look from '../ui/field.module.css'
import { useLength } from '../ui/use-length.ts'
import { discard, drafts, draftTextFor, keyOf, type OutcomeTextField, save, type } from './drafts.ts'
import css from './lesson-text.module.css'

type LessonTextProps = { readonly lesson: Appointment; readonly field: OutcomeTextField }

export function LessonText({ lesson, field }: LessonTextProps) {
  const { t } = useTranslation()
  const id = useId()
  const draft = drafts.use().get(keyOf(lesson, field))
  const text = draft?.text ?? draftTextFor(lesson, field)
  const { field: input, fault } = useLength<HTMLTextAreaElement>(text, NOTES_LENGTH.max)
  return (
    <div className={css.notes}>
      <label htmlFor={id}>{t(`field.${field}`)}</label>
      <textarea
        id={id}
        className={`${look.field} ${css.text}`}
        rows={2}
        ref={input}
        aria-invalid={fault !== undefined}
        value={text}
        onChange={({ target }) => type(lesson, field, target.value)}
      />
      {fault && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
      {draft && (
        <div className={css.answers}>
          <Button
            className={css.button}
            look="primary"
            disabled={fault !== undefined}
            onClick={() => void save(draft)}
          >
            {t('action.save')}
          </Button>
          <Button className={css.button} onClick={() => discard(draft)}>
            {t('action.cancel')}
          </Button>
        </div>
      )}
    </div>
  )
}
