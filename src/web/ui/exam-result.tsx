import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { isCounted } from '../../domain/counted.ts'
import { NOTES_LENGTH } from '../../domain/ranges.ts'
import { isExam } from '../../domain/readiness.ts'
import { Button } from './button.tsx'
import css from './exam-result.module.css'
import look from './field.module.css'
import { useSchool } from './school.tsx'
import { useLength } from './use-length.ts'
import { useNow } from './use-now.ts'

type Result = Appointment['exam_result']
type ExamResultProps = {
  readonly lesson: Appointment
  readonly onChange: (change: Pick<AppointmentChange, 'exam_result' | 'status'>) => void
}

/** The result of an exam that has begun: passed, or failed and why. It completes the exam. Pressing the chosen one clears both. */
export function ExamResult({ lesson, onChange }: ExamResultProps) {
  const { lessonType } = useSchool()
  const { t } = useTranslation()
  const now = useNow()
  const [isReasonAsked, setReasonAsked] = useState(false)
  const { exam_result: result, start_at, status, student_id } = lesson
  if (!isExam(lessonType.get(lesson.lesson_type_id)?.category ?? '')) return null
  if (result === null && (start_at > now || status === 'cancelled' || student_id === null)) return null
  const button = (passed: boolean) => (
    <Button
      className={css.button}
      look={result?.passed === passed ? 'chosen' : 'plain'}
      aria-pressed={result?.passed === passed}
      onClick={() => {
        const isCleared = result?.passed === passed
        setReasonAsked(!passed)
        onChange(
          isCleared
            ? { exam_result: null, ...(status === 'completed' && { status: 'planned' }) }
            : resultOf(lesson, { passed, note: result?.note ?? null }),
        )
      }}
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
      {result && (
        <ExamNote
          result={result}
          isFocused={isReasonAsked && !result.passed}
          onChange={(next) => onChange(resultOf(lesson, next))}
        />
      )}
    </section>
  )
}

/** Returns the change by a result: an exam that counts is done. */
function resultOf(
  { status }: Appointment,
  exam_result: NonNullable<Result>,
): Pick<AppointmentChange, 'exam_result' | 'status'> {
  return isCounted({ status }) ? { exam_result, status: 'completed' } : { exam_result }
}

type ExamNoteProps = {
  readonly result: NonNullable<Result>
  readonly isFocused: boolean
  readonly onChange: (result: NonNullable<Result>) => void
}

/** The reason why an exam was failed, or another note. It is saved by Enter and on leaving, and stays after a failure. */
function ExamNote({ result, isFocused, onChange }: ExamNoteProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<string>()
  const note = typed ?? result.note ?? ''
  const { field, fault } = useLength<HTMLInputElement>(note, NOTES_LENGTH.max)
  const isOther = note.trim() !== (result.note ?? '')
  if (typed !== undefined && !isOther) setTyped(undefined)
  const save = () => {
    if (isOther && fault === undefined) onChange({ ...result, note: note.trim() || null })
  }
  useEffect(() => {
    if (isFocused) field.current?.focus()
  }, [isFocused, field])
  useAtEnd(save)
  return (
    <form
      className={css.note}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) save()
      }}
    >
      <label>
        {t(result.passed ? 'field.notes' : 'exam.why')}
        <input
          className={look.field}
          ref={field}
          aria-invalid={fault !== undefined}
          value={note}
          onChange={({ target }) => setTyped(target.value)}
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

function useAtEnd(call: () => void): void {
  const latest = useRef(call)
  latest.current = call
  useEffect(() => () => latest.current(), [])
}
