import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { History } from '../changes/history.tsx'
import { Messages } from '../changes/messages.tsx'
import { oneAppointment } from '../data/appointments.ts'
import type { LessonActions } from '../lessons/lesson-actions.ts'
import { studentNameOf } from '../lessons/lesson-texts.ts'
import { SideCard } from '../ui/dialogs/side-card.tsx'
import { ExamResult } from '../ui/exam-result.tsx'
import { useSchool } from '../ui/school.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { Attendees } from './attendees.tsx'
import { CARD_WIDTH } from './card-width.ts'
import { LessonButtons } from './lesson-buttons.tsx'
import { LessonFacts } from './lesson-facts.tsx'
import { type SeriesAct, SeriesButtons } from './series-buttons.tsx'

type LessonCardProps = {
  readonly id: string
  /** The lesson, if it is in the week shown. */
  readonly listed: Appointment | undefined
  /** The side of the window. */
  readonly side?: 'left' | 'right'
  readonly actions: LessonActions
  readonly onEdit: (lesson: Appointment) => void
  readonly onClose: () => void
}

export default function LessonCard({ id, listed, side, actions, onEdit, onClose }: LessonCardProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [seriesAct, setSeriesAct] = useState<SeriesAct>()
  const [isCovered, setCovered] = useState(false)
  const { data, error, isError, refetch } = useQuery({ ...oneAppointment(id), enabled: !listed })
  // A deleted lesson may still be cached.
  const lesson = listed ?? (isError ? undefined : data)
  return (
    <SideCard
      title={lesson ? studentNameOf(lesson, school, t) : t('lesson.one')}
      width={CARD_WIDTH}
      {...(side && { side })}
      isCovered={seriesAct !== undefined || isCovered}
      onClose={onClose}
    >
      {lesson && (
        <>
          <LessonFacts lesson={lesson} />
          <Attendees lesson={lesson} actions={actions} />
          <ExamResult lesson={lesson} onChange={(change) => void actions.change(lesson, change, 'changed')} />
          <LessonButtons {...{ lesson, actions, onEdit, onClose }} onCovered={setCovered}>
            {lesson.series_id !== null && (
              <SeriesButtons
                lesson={lesson}
                seriesId={lesson.series_id}
                asked={seriesAct}
                onAsk={setSeriesAct}
              />
            )}
          </LessonButtons>
          <Messages about={{ appointment_id: lesson.id }} lesson={lesson} />
          <History resource="appointment" id={lesson.id} studentId={lesson.student_id} />
        </>
      )}
      {!lesson && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
    </SideCard>
  )
}
