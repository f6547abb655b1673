import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { dateOf } from '../../domain/local-time.ts'
import { absencePlanOf, type PlannedBody } from '../data/absences.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import page from '../ui/page.module.css'
import { useSchool } from '../ui/school.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { useNow } from '../ui/use-now.ts'
import css from './absence-page.module.css'
import { recordedTexts } from './absence-texts.ts'
import { callsText } from './calls.tsx'
import { DecidedList } from './decided-list.tsx'
import { decisionStateOf, settledIn, withProposals } from './decisions.ts'
import {
  type AbsenceDraftProps,
  type AbsencePlanLesson,
  calling,
  requestOf,
  stepIn,
  withoutNote,
} from './draft.ts'
import { Ladder } from './ladder.tsx'
import { LessonRow } from './lesson-row.tsx'
import type { RecordingState } from './use-recording.ts'

/** The pause in milliseconds after which typing counts as finished. */
const TYPED_AFTER_MS = 300
const NO_LESSONS: readonly AbsencePlanLesson[] = []

type PlanProps = AbsenceDraftProps & {
  readonly recording: RecordingState
  /** Whether both times of the form can be read. */
  readonly isReadable: boolean
}

/** The affected lessons, the soonest first, each with its decision, and the button that stores all of them. */
export function Plan({ cause, draft, onChange, recording, isReadable }: PlanProps) {
  const { t } = useTranslation()
  const typed = JSON.stringify((isReadable && requestOf(cause, draft)) || null)
  const asked = useDebounced(typed, TYPED_AFTER_MS)
  const absence: PlannedBody | null = JSON.parse(asked)
  const { data, error, isError, isPlaceholderData, refetch } = useQuery({
    ...absencePlanOf(cause.paths, withoutNote(absence ?? {})),
    enabled: absence !== null,
    placeholderData: keepPreviousData,
  })
  if (!absence) return <Empty text={t(`absencePage.of.${cause.kind}.unasked`)} />
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  return (
    <Lessons
      {...{ cause, draft, onChange, recording, absence }}
      plan={data.appointments}
      isSettled={typed === asked && !isPlaceholderData}
    />
  )
}

type LessonsProps = Omit<PlanProps, 'isReadable'> & {
  readonly absence: PlannedBody
  readonly plan: readonly AbsencePlanLesson[]
  /** Whether the plan is for the times in the form. */
  readonly isSettled: boolean
}

function Lessons({ cause, draft, onChange, recording, absence, plan, isSettled }: LessonsProps) {
  const { t } = useTranslation()
  const now = useNow()
  const { failure, isBusy } = recording
  const { decisions, called } = draft
  const already = recordedTexts(cause, draft.period, useSchool())
  const open = plan.filter((one) => decisionStateOf(one, decisions) !== 'decided').length
  const decided = open > 0 ? t('absencePage.undecided', { count: open }) : t('absencePage.decided')
  const others = stepIn(draft, absence)?.others ?? []
  const calls = callsText(
    [...plan.map(({ appointment }) => appointment), ...others.map(({ lesson }) => lesson)],
    called,
    t,
  )
  const [begun, coming] = [true, false].map((hasBegun) =>
    plan.filter(({ appointment }) => appointment.start_at < now === hasBegun),
  )
  const days = [
    ...Map.groupBy(coming ?? NO_LESSONS, ({ appointment }) => dateOf(appointment.start_at)),
    ...(begun && begun.length > 0 ? ([['', begun]] as const) : []),
  ]
  return (
    <>
      <div className={css.list}>
        {failure && (
          <Notice kind="bad" title={t('absencePage.failed')} isAnswer>
            {failure.texts.map((text) => (
              <p key={text}>{text}</p>
            ))}
            <p>{t('absencePage.kept')}</p>
          </Notice>
        )}
        {already.length > 0 && (
          <Notice kind="warn" title={t('absencePage.already', { name: cause.name })}>
            {already.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </Notice>
        )}
        {plan.length === 0 && <p>{t(`absencePage.of.${cause.kind}.none`, { name: cause.name })}</p>}
        {others.length > 0 && (
          <section>
            <h2>{t('absencePage.ladder.others')}</h2>
            <DecidedList {...{ lessons: others, draft, onChange, faulty: failure?.ids }} />
          </section>
        )}
        {days.map(([day, lessons]) => (
          <Day key={day} day={day}>
            {lessons.map((planned) => (
              <LessonRow
                key={planned.appointment.id}
                cause={cause}
                planned={planned}
                decision={decisions[planned.appointment.id]}
                isFaulty={failure?.ids.includes(planned.appointment.id) ?? false}
                isCalled={called.includes(planned.appointment.id)}
                onDecide={(decision) =>
                  onChange((latest) => ({
                    decisions: { ...latest.decisions, [decision.appointment_id]: decision },
                  }))
                }
                onCall={(isCalled) => onChange(calling(planned.appointment.id, isCalled))}
              />
            ))}
          </Day>
        ))}
      </div>
      <Ladder {...{ cause, draft, onChange, absence, plan, isDisabled: !isSettled || isBusy }} />
      <div className={css.foot}>
        <span className={page.dimmed} role="status">
          {plan.length > 0 && [decided, calls].filter(Boolean).join(' · ')}
        </span>
        {open > 0 && (
          <Button
            icon="check"
            look="primary"
            disabled={!isSettled || isBusy}
            onClick={() =>
              onChange((latest) => ({ decisions: withProposals(plan, latest.decisions, cause) }))
            }
          >
            {t(open === plan.length ? 'absencePage.proposals' : 'absencePage.otherProposals')}
          </Button>
        )}
        <Button
          look={open > 0 ? 'plain' : 'primary'}
          isBusy={isBusy}
          disabled={open > 0 || !isSettled}
          onClick={() => void recording.begin(absence, [...settledIn(plan, decisions), ...others])}
        >
          {t(`absencePage.of.${cause.kind}.apply`)}
        </Button>
      </div>
    </>
  )
}

type DayProps = { readonly day: string; readonly children: React.ReactNode }

/** The lessons of a day; those that have begun are last, without a day. */
function Day({ day, children }: DayProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  return (
    <section>
      <h2>{day === '' ? t('absencePage.begun') : format.longDay(day)}</h2>
      <ul className={css.rows}>{children}</ul>
    </section>
  )
}
