import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../../contract/student.ts'
import type { LocalDate } from '../../../domain/local-time.ts'
import { localToday } from '../../../domain/time-zone.ts'
import type { BookingStart } from '../../booking/form.ts'
import { trainingOfStudents } from '../../data/progress.ts'
import { useLessonActions } from '../../lessons/lesson-actions.ts'
import { Button } from '../../ui/button.tsx'
import { Deferred, usePreloaded } from '../../ui/deferred.tsx'
import { searchPeople } from '../../ui/find-people.ts'
import { Folded } from '../../ui/folded.tsx'
import page from '../../ui/page.module.css'
import { PageHeading } from '../../ui/page-heading.tsx'
import { isCurrent, useSchool } from '../../ui/school.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Empty } from '../../ui/states.tsx'
import { DeletedStudents } from './deleted-students.tsx'
import { FileButtons, FileDialog } from './file-buttons.tsx'
import { isLacking } from './lacking.ts'
import { MissedLessons } from './missed-lessons.tsx'
import { StudentFilters } from './student-filters.tsx'
import { StudentList } from './student-list.tsx'
import type { Lack, StudentSearch } from './student-search.ts'
import css from './students-page.module.css'

const loadBooking = () => import('../../booking/booking-dialog.tsx')
const loadCard = () => import('./student-card.tsx')
const loadDialog = () => import('../../student-form/student-dialog.tsx')

const route = getRouteApi('/students')
const NO_LESSONS = [] as const

export function StudentsPage() {
  const school = useSchool()
  const { students: current, student } = school
  const { t } = useTranslation()
  const { q = '', student: opened, ...chosen } = route.useSearch()
  const {
    add: isAdding = false,
    deleted: isOfDeleted = false,
    former: isOfFormer = false,
    ready: isOfReady = false,
    missed: isOfMissed = false,
    lacks,
    file,
  } = chosen
  const navigate = route.useNavigate()
  const wanted = useDeferredValue(q)
  const { data: trained } = useQuery(trainingOfStudents)
  const isSearch = wanted.trim() !== ''
  const students = useMemo(() => {
    const former = [...student.values()].filter((one) => !isCurrent(one))
    return isOfFormer ? former : isSearch && former.length > 0 ? [...current, ...former] : current
  }, [isOfFormer, isSearch, student, current])
  const found = useMemo(() => {
    const matching = searchPeople(students, school)(wanted)
    return matching.filter(
      (one) =>
        (!isOfReady || trained?.get(one.id)?.readiness?.ready) &&
        (!lacks || isLacking(lacks, one, trained?.get(one.id))),
    )
  }, [students, school, wanted, isOfReady, lacks, trained])
  const [booking, setBooking] = useState<BookingStart>()
  const shown = opened === undefined ? undefined : student.get(opened)
  usePreloaded(loadCard, loadDialog, loadBooking)
  const search = (change: Partial<StudentSearch>, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace })
  const open = (id: string) => search({ student: id })
  const add = (
    <Button look="primary" icon="plus" aria-label={t('student.add')} onClick={() => search({ add: true })}>
      <span className={css.word}>{t('student.add')}</span>
    </Button>
  )
  return (
    <div className={page.page}>
      <div className={`${page.bar} ${css.bar}`}>
        <PageHeading title={t('nav.students')} />
        <SearchField
          label={t('student.search')}
          q={q}
          onSearch={(text) => search({ q: text || undefined }, true)}
        />
        <span className={page.space} />
        <Folded upTo={1100} label={t('student.more')}>
          {(close) => (
            <div className={css.more}>
              {student.size > 0 && (
                <Link to="/records" className={page.link}>
                  {t('records.title')}
                </Link>
              )}
              <Link to="/enquiries" className={page.link}>
                {t('enquiry.title')}
              </Link>
              <FileButtons
                canExport={student.size > 0}
                onOpen={(next) => {
                  close()
                  search({ file: next }, true)
                }}
              />
            </div>
          )}
        </Folded>
        <FileDialog open={file} onClose={() => search({ file: undefined }, true)} />
        {student.size > 0 && add}
      </div>
      <StudentFilters chosen={chosen} trained={trained} count={found.length} onChange={search} />
      {isOfMissed ? (
        <MissedLessons />
      ) : isOfDeleted ? (
        <DeletedStudents q={wanted} />
      ) : students.length === 0 ? (
        <Empty text={t(isOfFormer ? 'former.none' : 'student.noneYet')}>{!isOfFormer && add}</Empty>
      ) : (
        <Found
          found={found}
          isSearch={isSearch}
          onOpen={open}
          isOfReady={isOfReady}
          lacks={lacks}
          onBookExam={setBooking}
          onAll={() => search({ q: undefined, ready: undefined, lacks: undefined }, true)}
        />
      )}
      <Dialogs
        shown={shown}
        isAdding={isAdding}
        booking={booking}
        onBooking={setBooking}
        onAdded={() => search({ add: undefined }, true)}
        onOpen={open}
      />
    </div>
  )
}

type DialogsProps = {
  /** The student whose card is open. */
  readonly shown: Student | undefined
  readonly isAdding: boolean
  readonly booking: BookingStart | undefined
  readonly onBooking: (booking: BookingStart | undefined) => void
  readonly onAdded: () => void
  readonly onOpen: (id: string) => void
}

/** The lesson form of a student, the form of a new one, or the card. */
function Dialogs({ shown, isAdding, booking, onBooking: setBooking, onAdded, onOpen }: DialogsProps) {
  const { tenant } = useSchool()
  const navigate = route.useNavigate()
  const [editing, setEditing] = useState<Student>()
  const { reportBooked } = useLessonActions(NO_LESSONS)
  // The back button must not open it again.
  const close = () =>
    void navigate({ search: (before) => ({ ...before, student: undefined }), replace: true })
  if (booking) {
    const onClose = () => setBooking(undefined)
    return <Deferred load={loadBooking} props={{ start: booking, onBooked: reportBooked, onClose }} />
  }
  if (editing || isAdding) {
    const onClose = () => {
      setEditing(undefined)
      onAdded()
    }
    const onSaved = ({ id }: Student) => onOpen(id)
    return <Deferred load={loadDialog} props={{ student: editing, onSaved, onClose }} />
  }
  if (!shown) return null
  return (
    <Deferred
      load={loadCard}
      props={{
        student: shown,
        onBook: () => setBooking(startFor(shown, localToday(new Date(), tenant.timezone))),
        onFind: () =>
          setBooking({
            date: localToday(new Date(), tenant.timezone),
            student_id: shown.id,
            isFinding: true,
          }),
        onEdit: () => setEditing(shown),
        onMerged: ({ id }) => onOpen(id),
        onClose: close,
      }}
    />
  )
}

function startFor({ id, preferred_instructor_id }: Student, date: LocalDate): BookingStart {
  return { date, student_id: id, instructor_id: preferred_instructor_id ?? undefined }
}

type FoundProps = {
  readonly found: readonly Student[]
  readonly isSearch: boolean
  readonly isOfReady: boolean
  readonly lacks: Lack | undefined
  readonly onOpen: (id: string) => void
  readonly onBookExam: (start: BookingStart) => void
  readonly onAll: () => void
}

function Found({ found, isSearch, isOfReady, lacks, onOpen, onBookExam, onAll }: FoundProps) {
  const { t } = useTranslation()
  if (found.length > 0)
    return (
      <StudentList {...{ found, isSearch, lacks, onOpen }} onBookExam={isOfReady ? onBookExam : undefined} />
    )
  const none = lacks ? 'lacks.none' : isOfReady ? 'exam.noneReady' : 'student.none'
  return (
    <Empty text={t(isSearch ? 'student.none' : none)}>
      <Button onClick={onAll}>{t('student.showAll')}</Button>
    </Empty>
  )
}
