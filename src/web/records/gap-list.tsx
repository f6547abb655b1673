import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { RecordGap } from '../../domain/training-record.ts'
import { type School, useSchool } from '../ui/school.tsx'
import css from './gap-list.module.css'
import { placeOf } from './mending.ts'

type GapListProps = {
  readonly gaps: readonly RecordGap[]
  /** Undefined on the student's card itself. */
  readonly studentId?: string
}

/** The gaps of a record by kind, each with links to the places that mend it. */
export function GapList({ gaps, studentId }: GapListProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const kinds = Map.groupBy(gaps, (gap) => gapText(gap, school, t))
  return (
    <ul className={css.gaps}>
      {[...kinds].map(([text, alike]) => (
        <li key={text} data-severity={alike[0]?.severity}>
          <span>{text}</span>
          {alike.map((gap, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: gaps of one text have no id
            <MendLink key={index} gap={gap} studentId={studentId} />
          ))}
        </li>
      ))}
    </ul>
  )
}

type MendLinkProps = { readonly gap: RecordGap; readonly studentId: string | undefined }

function MendLink({ gap, studentId }: MendLinkProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const place = placeOf(gap)
  const text = t(`records.mend.${place}`)
  if (place === 'lesson' && gap.appointment_id) {
    const date = textOf(gap, 'date')
    return (
      <Link to="/" search={{ date, lesson: gap.appointment_id }}>
        {date ? format.date(date) : text}
      </Link>
    )
  }
  if (place === 'instructor') {
    const instructor = textOf(gap, 'instructor_id')
    return (
      <Link to="/instructors" search={{ instructor }}>
        {textOf(gap, 'name') ?? text}
      </Link>
    )
  }
  if (place === 'school')
    return (
      <Link to="/settings" search={{ chapter: 'school' }}>
        {text}
      </Link>
    )
  if (studentId === undefined) return null
  return (
    <Link to="/students" search={{ student: studentId }}>
      {text}
    </Link>
  )
}

/** Returns a gap in words. */
export function gapText(gap: RecordGap, { lessonTypes }: Pick<School, 'lessonTypes'>, t: TFunction): string {
  const { params } = gap
  const requirement = textOf(gap, 'requirement')
  const signer = (['school', 'student'] as const).find((one) => one === params.as)
  return t(`records.gap.${gap.code}`, {
    what: lessonTypes.find(({ code }) => code === requirement)?.name ?? requirement,
    done: params.done_units,
    required: params.required_units,
    who: signer && t(`records.signers.${signer}`),
  })
}

function textOf({ params }: RecordGap, name: string): string | undefined {
  const value = params[name]
  return typeof value === 'string' ? value : undefined
}
