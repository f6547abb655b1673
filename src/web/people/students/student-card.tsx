import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../../contract/student.ts'
import { localNow } from '../../../domain/time-zone.ts'
import { History } from '../../changes/history.tsx'
import { Messages } from '../../changes/messages.tsx'
import { lessonsOfStudent } from '../../data/appointments.ts'
import { pagePath } from '../../data/links.ts'
import { Button } from '../../ui/button.tsx'
import { Deferred } from '../../ui/deferred.tsx'
import { Details } from '../../ui/details.tsx'
import { SideCard } from '../../ui/dialogs/side-card.tsx'
import { isCurrent, studentName, useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { LinkPanel } from '../links/link-panel.tsx'
import { useLink } from '../links/use-link.ts'
import { OpeningBalance } from '../trainings/opening-balance.tsx'
import { StudentProgress } from '../trainings/student-progress.tsx'
import { Trainings } from '../trainings/trainings.tsx'
import { DeleteStudent } from './delete-student.tsx'
import { DoubleHint } from './double-hint.tsx'
import { LessonList } from './lesson-list.tsx'
import { PersonData } from './person-data.tsx'
import { PutAway } from './put-away.tsx'
import css from './student-card.module.css'
import { StudentFacts } from './student-facts.tsx'
import { StudentHold } from './student-hold.tsx'
import { StudentReadiness } from './student-readiness.tsx'
import { StudentTopics } from './student-topics.tsx'
import { Weeks } from './weeks.tsx'
import { Wishes } from './wishes.tsx'

const loadMerge = () => import('./merge-dialog.tsx')

type StudentCardProps = {
  readonly student: Student
  readonly onBook: () => void
  readonly onFind: () => void
  readonly onEdit: () => void
  /** Called with the student who is kept. */
  readonly onMerged: (kept: Student) => void
  readonly onClose: () => void
}

export default function StudentCard({
  student,
  onBook,
  onFind,
  onEdit,
  onMerged,
  onClose,
}: StudentCardProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [isDeleting, setDeleting] = useState(false)
  const [isCovered, setCovered] = useState(false)
  /** The merge in question, with the double if one is known. */
  const [merging, setMerging] = useState<{ readonly double?: Student }>()
  const { data: lessons, error, isError, refetch } = useQuery(lessonsOfStudent(student.id))
  const now = localNow(new Date(), school.tenant.timezone)
  const coming = lessons?.filter(({ start_at }) => start_at > now) ?? []
  const past = lessons?.filter(({ start_at }) => start_at <= now).toReversed() ?? []

  return (
    <SideCard
      title={studentName(student, school)}
      width={460}
      isCovered={isDeleting || isCovered || merging !== undefined}
      onClose={onClose}
    >
      <DoubleHint student={student} onCompare={(double) => setMerging({ double })} />
      <StudentFacts student={student} />
      <div className={css.buttons}>
        {isCurrent(student) && (
          <>
            <Button look="primary" icon="plus" onClick={onBook}>
              {t('action.book')}
            </Button>
            <Button icon="clock" onClick={onFind}>
              {t('find.open')}
            </Button>
          </>
        )}
        <Button icon="edit" onClick={onEdit}>
          {t('action.edit')}
        </Button>
        <PutAway student={student} />
        <Button look="bare" onClick={() => setMerging({})}>
          {t('merge.open')}
        </Button>
        <Button look="remove" icon="trash" onClick={() => setDeleting(true)}>
          {t('action.delete')}
        </Button>
      </div>
      <h2 className={css.heading}>{t('training.title')}</h2>
      <Trainings student={student} onCovered={setCovered} />
      <h2 className={css.heading}>{t('student.coming')}</h2>
      {lessons && <LessonList lessons={coming} />}
      {!lessons && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
      <h2 className={css.heading}>{t('student.progress')}</h2>
      <StudentReadiness studentId={student.id} />
      <StudentProgress studentId={student.id} />
      <StudentTopics studentId={student.id} />
      <Details title={t('opening.title')}>
        <OpeningBalance student={student} onCovered={setCovered} />
      </Details>
      <Details title={t('wish.title')}>
        <Wishes studentId={student.id} onCovered={setCovered} />
      </Details>
      <Details title={t('week.title')}>
        <Weeks student={student} onCovered={setCovered} />
      </Details>
      {lessons && (
        <>
          <h2 className={css.heading}>{t('student.past')}</h2>
          <LessonList lessons={past} />
        </>
      )}
      <Details title={t('links.page')}>
        <StudentLink studentId={student.id} />
      </Details>
      <Details title={t('personData.title')}>
        <PersonData studentId={student.id} />
      </Details>
      {school.user.role === 'owner' && (
        <Details title={t('retention.holding')}>
          <StudentHold student={student} onCovered={setCovered} />
        </Details>
      )}
      <Messages about={{ student_id: student.id }} />
      <History resource="student" id={student.id} />
      {merging && (
        <Deferred
          load={loadMerge}
          props={{
            student,
            double: merging.double,
            onMerged: (kept: Student) => {
              setMerging(undefined)
              onMerged(kept)
            },
            onClose: () => setMerging(undefined),
          }}
        />
      )}
      {isDeleting && (
        <DeleteStudent
          student={student}
          cancelled={coming.filter((one) => one.status === 'planned' && one.student_id === student.id).length}
          onDeleted={onClose}
          onClose={() => setDeleting(false)}
        />
      )}
    </SideCard>
  )
}

function StudentLink({ studentId }: { readonly studentId: string }) {
  const { t } = useTranslation()
  const link = useLink(pagePath(studentId))
  return <LinkPanel link={link} intro={t('links.pageIntro')} onMake={() => link.make()} />
}
