import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AbsenceLadder, absenceLadderOf, type PlannedBody } from '../data/absences.ts'
import { oneAppointment } from '../data/appointments.ts'
import { Button } from '../ui/button.tsx'
import page from '../ui/page.module.css'
import { problemMessage } from '../ui/problem-messages.ts'
import { type School, useSchool } from '../ui/school.tsx'
import { numbersOf } from '../ui/tel-of.ts'
import css from './absence-page.module.css'
import { decisionsOf } from './decisions.ts'
import {
  type AbsenceDraftProps,
  type AbsencePlanLesson,
  type DecidedLesson,
  stepIn,
  withoutNote,
} from './draft.ts'

type LadderProps = AbsenceDraftProps & {
  readonly absence: PlannedBody
  readonly plan: readonly AbsencePlanLesson[]
  readonly isDisabled: boolean
}

type LadderStep = AbsenceLadder[number]

/** The steps of an absence with which more lessons keep their student, if there are any; a click takes one. */
export function Ladder({ cause, draft, onChange, absence, plan, isDisabled }: LadderProps) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const [failure, setFailure] = useState<string>()
  const [taking, setTaking] = useState<number>()
  const asked = withoutNote(absence)
  const isAsked = cause.kind === 'instructor' && plan.length > 0
  const { data = [] } = useQuery({ ...absenceLadderOf(cause.paths, asked), enabled: isAsked })
  const steps = data.filter(({ saved }, index) => index === 0 || saved > (data[index - 1]?.saved ?? 0))
  if (!isAsked || steps.length < 2) return null
  const chosen = stepIn(draft, absence)
  const take = async (step: LadderStep) => {
    setFailure(undefined)
    setTaking(step.moved)
    try {
      const others = await othersIn(step, plan, { client, school })
      onChange((latest) => ({
        decisions: { ...latest.decisions, ...decisionsOf(step, plan, cause) },
        step: { moved: step.moved, others, of: JSON.stringify(asked) },
      }))
    } catch (error) {
      setFailure(problemMessage(error, t))
    } finally {
      setTaking(undefined)
    }
  }
  return (
    <section className={css.ladder} aria-label={t('absencePage.ladder.title')}>
      <p className={page.dimmed}>{t('absencePage.ladder.hint')}</p>
      <div className={css.steps}>
        {steps.map((step) => (
          <Button
            key={step.moved}
            aria-pressed={chosen?.moved === step.moved}
            look={chosen?.moved === step.moved ? 'chosen' : 'plain'}
            isBusy={taking === step.moved}
            disabled={isDisabled || taking !== undefined}
            onClick={() => void take(step)}
          >
            {step.moved === 0
              ? t('absencePage.ladder.nobody', { saved: step.saved, all: plan.length })
              : t('absencePage.ladder.step', { count: step.moved, saved: step.saved, all: plan.length })}
          </Button>
        ))}
      </div>
      {failure && <p role="alert">{failure}</p>}
    </section>
  )
}

/** Returns the lessons of others that a step moves, as they are now. Throws `ApiProblem` or `Unreachable`. */
function othersIn(
  { decisions }: LadderStep,
  plan: readonly AbsencePlanLesson[],
  { client, school }: { readonly client: ReturnType<typeof useQueryClient>; readonly school: School },
): Promise<readonly DecidedLesson[]> {
  const ids = new Set(plan.map(({ appointment }) => appointment.id))
  const moves = decisions.filter(({ appointment_id }) => !ids.has(appointment_id))
  return Promise.all(
    moves.map(async (decision): Promise<DecidedLesson> => {
      const lesson = await client.fetchQuery(oneAppointment(decision.appointment_id))
      const student = school.student.get(lesson.student_id ?? '')
      return { lesson, phones: student ? numbersOf(student) : [], decision }
    }),
  )
}
