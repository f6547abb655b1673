import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { AbsenceDecision } from '../../contract/absence-decision.ts'
import type { Slot } from '../../contract/slot.ts'
import { CANCELLATION_REASONS } from '../../domain/cancellation.ts'
import { timeOf } from '../../domain/local-time.ts'
import { slotText } from '../booking/slot-text.ts'
import { whenText } from '../lessons/lesson-texts.ts'
import { Button } from '../ui/button.tsx'
import { OptionSelect } from '../ui/option-select.tsx'
import page from '../ui/page.module.css'
import { nameOf, useSchool } from '../ui/school.tsx'
import css from './absence-page.module.css'
import { studentNamesFor, vehiclesText } from './absence-texts.ts'
import { Calls } from './calls.tsx'
import type { AbsenceCause } from './causes.ts'
import { chosenSlotFor, type DecisionAction, decisionFor, decisionOn, slotsFor } from './decisions.ts'
import type { AbsencePlanLesson } from './draft.ts'

type LessonRowProps = {
  readonly cause: AbsenceCause
  readonly planned: AbsencePlanLesson
  readonly decision: AbsenceDecision | undefined
  /** Whether this lesson was the reason why nothing was stored. */
  readonly isFaulty: boolean
  readonly isCalled: boolean
  readonly onDecide: (decision: AbsenceDecision) => void
  readonly onCall: (isCalled: boolean) => void
}

/** An affected lesson: its time and student, the calls, and the decision. */
export function LessonRow({
  cause,
  planned,
  decision,
  isFaulty,
  isCalled,
  onDecide,
  onCall,
}: LessonRowProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const name = useId()
  const { appointment, phones } = planned
  const kind = school.lessonType.get(appointment.lesson_type_id)?.name ?? appointment.title
  const students = studentNamesFor(appointment, school, t)
  const times = `${timeOf(appointment.start_at)}–${timeOf(appointment.end_at)}`
  const what = `${students}, ${whenText(appointment, school)}`
  const isChanged = decision !== undefined && decision.version !== appointment.version
  return (
    <li className={css.row} data-faulty={isFaulty || isChanged || undefined} data-lesson-row={appointment.id}>
      <div className={css.about}>
        <strong>
          {times} {students}
        </strong>
        {kind !== students && <span className={css.type}>{kind}</span>}
      </div>
      <Calls lesson={appointment} phones={phones} what={what} isCalled={isCalled} onCall={onCall} />
      <fieldset className={css.decision}>
        <legend className={page.hidden}>{t('absencePage.decisionOn', { what })}</legend>
        {cause.actions.map((action) => {
          const isPossible = action === 'cancel' || action === 'keep' || slotsFor(planned, action).length > 0
          return (
            <label key={action} className={css.action} title={isPossible ? undefined : impossible(action)}>
              <input
                type="radio"
                name={name}
                disabled={!isPossible && decision?.action !== action}
                checked={decision?.action === action}
                onChange={() => onDecide(decisionFor(planned, action, cause))}
              />
              {t(`absencePage.action.${action}`)}
            </label>
          )
        })}
      </fieldset>
      <div className={css.detail}>
        {decision && <Detail {...{ planned, decision, isFaulty, what, onDecide }} />}
      </div>
      {decision && isChanged && (
        <p className={css.changed} role="status">
          {t('absencePage.changed')}{' '}
          <Button onClick={() => onDecide({ ...decision, version: appointment.version })}>
            {t('absencePage.confirm')}
          </Button>
        </p>
      )}
    </li>
  )

  function impossible(action: DecisionAction): string {
    if (action === 'other_vehicle') return t('absencePage.noVehicle')
    return t(action === 'take_over' ? 'absencePage.nobody' : 'absencePage.noTime')
  }
}

type DetailProps = Pick<LessonRowProps, 'planned' | 'isFaulty' | 'onDecide'> & {
  readonly decision: AbsenceDecision
  readonly what: string
}

const LABELS = {
  take_over: 'absencePage.substitute',
  other_vehicle: 'absencePage.vehicle',
  move: 'absencePage.time',
} as const

/** The substitute, the other vehicle, the new time, or the reason of the cancellation. */
function Detail({ planned, decision, isFaulty, what, onDecide }: DetailProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const { action } = decision
  if (action === 'keep') return <span className={css.type}>{t('absencePage.stays')}</span>
  if (action === 'cancel') {
    const reasons = CANCELLATION_REASONS.map((one) => [one, t(`cancellation.because.${one}`)] as const)
    return (
      <OptionSelect
        label={t('absencePage.reason', { what })}
        value={decision.cancellation?.reason ?? ''}
        options={[...reasons, ['', t('absencePage.noReason')]]}
        onChange={(chosen) => {
          const reason = CANCELLATION_REASONS.find((one) => one === chosen) ?? null
          onDecide({ ...decision, cancellation: { by: 'school', reason } })
        }}
      />
    )
  }
  const own = planned.appointment.instructor_id
  const slots = slotsFor(planned, action)
  const chosen = chosenSlotFor(planned, decision)
  const place = { ...planned.appointment, ...decision }
  const textOf = (slot: Pick<Slot, 'instructor_id' | 'vehicle_ids' | 'start_at' | 'end_at'>) => {
    if (action === 'take_over') return nameIn(school.instructor.get(slot.instructor_id))
    if (action === 'other_vehicle') return vehiclesText(slot.vehicle_ids, school)
    return 'is_preferred' in slot ? slotText(slot as Slot, own, school) : whenText(slot, school)
  }
  const options = slots.map((slot, index) => [String(index), textOf(slot)] as const)
  // The plan lists a few times only: another may be free as well, unless the service has refused it.
  const gone = isFaulty ? t('absencePage.notOffered', { what: textOf(place) }) : textOf(place)
  return (
    <OptionSelect
      label={t(LABELS[action], { what })}
      value={chosen ? String(slots.indexOf(chosen)) : ''}
      options={[...options, ...(chosen ? [] : [['', gone] as const])]}
      onChange={(index) => {
        const slot = slots[Number(index)]
        if (index !== '' && slot) onDecide(decisionOn(planned, action, slot))
      }}
    />
  )
}

function nameIn(person: Parameters<typeof nameOf>[0] | undefined): string {
  return person ? nameOf(person) : '–'
}
