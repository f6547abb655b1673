import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Impact } from '../../../contract/impact.ts'
import { dateOf } from '../../../domain/local-time.ts'
import { useLessonActions } from '../../lessons/lesson-actions.ts'
import { studentNameOf, whenText } from '../../lessons/lesson-texts.ts'
import { refusalMessage } from '../../lessons/refusal-messages.ts'
import { Button } from '../../ui/button.tsx'
import { refusalsIn } from '../../ui/problem-messages.ts'
import { useSchool } from '../../ui/school.tsx'
import css from './affected-lessons.module.css'

const NO_LESSONS = [] as const

type AffectedLessonProps = {
  readonly lesson: Impact['appointments'][number]
  readonly isKept: boolean
  readonly onKeep: () => void
  readonly onMove: () => void
}

/** A lesson that would break rules: the rules, and the remedies. */
export function AffectedLesson({
  lesson: { appointment, refusals },
  isKept,
  onKeep,
  onMove,
}: AffectedLessonProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const { change } = useLessonActions(NO_LESSONS)
  const [isCancelling, setCancelling] = useState(false)
  const cancel = async () => {
    setCancelling(true)
    await change(appointment, { status: 'cancelled' }, 'cancelled')
    setCancelling(false)
  }
  const about = { ...appointment, appointments: NO_LESSONS }
  const lesson = `${whenText(appointment, school)}, ${studentNameOf(appointment, school, t)}`
  const named = (action: string) => `${action}: ${lesson}`
  return (
    <li className={css.lesson} data-kept={isKept || undefined}>
      <div>
        <strong>{lesson}</strong>
        {refusalsIn(refusals).map((refusal) => (
          <p key={refusal.code}>{refusalMessage(refusal, about, school, t)}</p>
        ))}
      </div>
      <div className={css.actions}>
        <a
          className={css.link}
          href={`/?date=${dateOf(appointment.start_at)}&lesson=${appointment.id}`}
          target="_blank"
          rel="noreferrer"
          aria-label={named(t('instructor.open'))}
        >
          {t('instructor.open')}
        </a>
        <Button aria-label={named(t('instructor.move'))} onClick={onMove}>
          {t('instructor.move')}
        </Button>
        <Button
          aria-label={named(t('instructor.cancel'))}
          isBusy={isCancelling}
          onClick={() => void cancel()}
        >
          {t('instructor.cancel')}
        </Button>
        <Button
          aria-label={named(t('instructor.keep'))}
          look={isKept ? 'chosen' : 'plain'}
          aria-pressed={isKept}
          onClick={onKeep}
        >
          {t('instructor.keep')}
        </Button>
      </div>
    </li>
  )
}
