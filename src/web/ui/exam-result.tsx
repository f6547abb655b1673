import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { NOTES_LENGTH } from '../../domain/ranges.ts'
import { isExam } from '../../domain/readiness.ts'
import { Button } from './button.tsx'
import css from './exam-result.module.css'
import look from './field.module.css'
import { useSchool } from './school.tsx'
import { useLength } from './use-length.ts'
import { useNow } from './use-now.ts'

type Result = Appointment['exam_result']
type ExamResultProps = { readonly lesson: Appointment; readonly onChange: (result: Result) => void }

/** The result of an exam that has begun: passed, or failed and why. Pressing the chosen one clears it. */
export function ExamResult({ lesson, onChange }: ExamResultProps) {
  const { lessonType } = useSchool()
  const { t } = useTranslation()
  const now = useNow()
  const { exam_result: result, start_at, status, student_id } = lesson
  if (!isExam(lessonType.get(lesson.lesson_type_id)?.category ?? '')) return null
  if (result === null && (start_at > now || status === 'cancelled' || student_id === null)) return null
  const button = (passed: boolean) => (
    <Button
      className={css.button}
      look={result?.passed === passed ? 'chosen' : 'plain'}
      aria-pressed={result?.passed === passed}
      onClick={() => onChange(result?.passed === passed ? null : { passed, note: result?.note ?? null })}
    >
      {t(passed ? 'exam.passed' : 'exam.failed')}
    </Button>
  )
  return (
    <section className={css.result} aria-label={t('exam.result')}>
      <h3 className={css.heading}>{t('exam.result')}</h3>
      <div className={css.buttons}>
        {button(true)}
        {button(false)}
      </div>
      {result && <ExamNote key={result.note} result={result} onChange={onChange} />}
    </section>
  )
}

type ExamNoteProps = {
  readonly result: NonNullable<Result>
  readonly onChange: ExamResultProps['onChange']
}

/** The reason why an exam was failed, or another note. */
function ExamNote({ result, onChange }: ExamNoteProps) {
  const { t } = useTranslation()
  const [note, setNote] = useState(result.note ?? '')
  const { field, fault } = useLength<HTMLInputElement>(note, NOTES_LENGTH.max)
  const isOther = note.trim() !== (result.note ?? '')
  return (
    <form
      className={css.note}
      onSubmit={(event) => {
        event.preventDefault()
        if (isOther && fault === undefined) onChange({ ...result, note: note.trim() || null })
      }}
    >
      <label>
        {t(result.passed ? 'field.notes' : 'exam.why')}
        <input
          className={look.field}
          ref={field}
          aria-invalid={fault !== undefined}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </label>
      {fault && <p role="alert">{fault}</p>}
      {isOther && (
        <Button className={css.button} look="primary" type="submit" disabled={fault !== undefined}>
          {t('action.save')}
        </Button>
      )}
    </form>
  )
}
