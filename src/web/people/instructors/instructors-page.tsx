import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Instructor } from '../../../contract/instructor.ts'
import { Button } from '../../ui/button.tsx'
import { Deferred, usePreloaded } from '../../ui/deferred.tsx'
import { searchPeople } from '../../ui/find-people.ts'
import { Icon } from '../../ui/icon.tsx'
import page from '../../ui/page.module.css'
import { PageHeading } from '../../ui/page-heading.tsx'
import { initialsOf, nameOf, useSchool } from '../../ui/school.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Empty } from '../../ui/states.tsx'
import css from './instructors-page.module.css'
import { OpenRequests } from './open-requests.tsx'
import { WeekSummary } from './week-summary.tsx'

const loadDialog = () => import('./instructor-dialog.tsx')

const route = getRouteApi('/instructors')

export function InstructorsPage() {
  const { instructors, instructor, user } = useSchool()
  const { t } = useTranslation()
  const { q = '', instructor: opened, add: isNew = false } = route.useSearch()
  const navigate = route.useNavigate()
  const edited = opened === undefined ? undefined : instructor.get(opened)
  const close = () => void navigate({ search: ({ q }) => ({ q }), replace: true })
  const add = (
    <Button
      look="primary"
      icon="plus"
      onClick={() => void navigate({ search: (before) => ({ ...before, add: true }) })}
    >
      {t('board.addInstructor')}
    </Button>
  )
  usePreloaded(loadDialog)

  return (
    <div className={page.page}>
      <div className={page.bar}>
        <PageHeading title={t('nav.instructors')} />
        <SearchField
          label={t('student.search')}
          q={q}
          onSearch={(text) =>
            void navigate({ search: (before) => ({ ...before, q: text || undefined }), replace: true })
          }
        />
        <span className={page.space} />
        {user.role === 'owner' && instructors.length > 0 && (
          <Link to="/numbers" className={page.link}>
            {t('numbers.title')}
          </Link>
        )}
        {instructors.length > 0 && (
          <Link to="/minutes" className={page.link}>
            {t('minutes.title')}
          </Link>
        )}
        {instructors.length > 0 && add}
      </div>
      <OpenRequests />
      {instructors.length === 0 ? <Empty text={t('instructor.noneYet')}>{add}</Empty> : <List q={q} />}
      {(isNew || edited) && (
        <Deferred
          key={edited?.id}
          load={loadDialog}
          props={{ instructor: isNew ? undefined : edited, onClose: close }}
        />
      )}
    </div>
  )
}

function List({ q }: { q: string }) {
  const school = useSchool()
  const { instructors } = school
  const { t } = useTranslation()
  const found = searchPeople(instructors, school)(q)
  if (found.length === 0) return <Empty text={t('student.none')} />
  return (
    <ul className={css.list}>
      {found.map((one) => (
        <Card key={one.id} instructor={one} />
      ))}
    </ul>
  )
}

function Card({ instructor }: { instructor: Instructor }) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const { max_daily_units, max_weekly_units } = instructor
  const limit = (units: number | null) =>
    units === null ? t('instructor.none') : t('lesson.units', { units: format.units(units) })
  return (
    <li className={css.card} data-inactive={!instructor.active}>
      <Link
        to="/instructors"
        search={(before) => ({ ...before, instructor: instructor.id })}
        className={css.head}
      >
        <span className={css.avatar} style={{ '--person': instructor.color } as React.CSSProperties}>
          {initialsOf(instructor)}
        </span>
        <span>
          <strong>{nameOf(instructor)}</strong>
          <br />
          <span className={page.dimmed}>
            {instructor.active ? instructor.license_classes.join(', ') : t('board.inactive')}
          </span>
        </span>
      </Link>
      {instructor.active && (
        <Link to="/absence" search={{ instructor: instructor.id }} className={css.absence}>
          {t('absencePage.handle')}
        </Link>
      )}
      <WeekSummary windows={instructor.availability_windows} />
      <p className={page.dimmed}>
        {t('field.max_daily_units')}: <span className={css.limit}>{limit(max_daily_units)}</span> ·{' '}
        {t('field.max_weekly_units')}: <span className={css.limit}>{limit(max_weekly_units)}</span>
      </p>
      {instructor.vacations.map(({ start_date, end_date, note }) => (
        <p key={`${start_date} ${end_date}`} className={page.dimmed}>
          <Icon name="calendar" size={14} /> {format.days(start_date, end_date)} {note}
        </p>
      ))}
    </li>
  )
}
