import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { byFit, classOf, type Fit } from '../lessons/teaching.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/dialogs/choice.tsx'
import type { Option } from '../ui/dialogs/use-choice.ts'
import { searchIn } from '../ui/find-people.ts'
import { nameOf, useSchool } from '../ui/school.tsx'
import { preferredBy } from './filled-in.ts'
import css from './instructor-field.module.css'
import { useFreeAt } from './use-free-at.ts'

type InstructorFieldProps = {
  readonly value: string
  /** The lesson in the form. */
  readonly draft: LessonDraft
  /** Whether to mention the student's preferred instructor. */
  readonly isNew: boolean
  readonly onChange: (id: string) => void
}

/** Chooses the instructor: free ones first, then those that suit the student. Offers to switch to the preferred one. */
export function InstructorField({ value, draft, isNew, onChange }: InstructorFieldProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const studentId = draft.student_id
  const free = new Set(useFreeAt(draft, isAsked)?.map(({ instructor_id }) => instructor_id))
  const options = useOptions(value, studentId, free)
  const freeFirst = options.toSorted((a, b) => Number(free.has(b.value)) - Number(free.has(a.value)))
  const preferred = isNew ? school.instructor.get(preferredBy(studentId, school) ?? '') : undefined
  return (
    <div>
      <Choice
        label={t('field.instructor')}
        data={freeFirst}
        // The order of search hits must not depend on availability.
        search={searchIn(options, ({ label }) => ({ names: [label] }), school)}
        onFocus={() => setAsked(true)}
        value={value || null}
        onChange={(id) => onChange(id ?? '')}
      />
      {preferred && preferred.id !== value && (
        <Button look="bare" className={css.prefer} onClick={() => onChange(preferred.id)}>
          {t('booking.prefers', { name: nameOf(preferred) })}
        </Button>
      )}
    </div>
  )
}

/** Returns the instructors that can be booked, and the current one, sorted by how well they suit the student. */
function useOptions(value: string, studentId: string | null, free: ReadonlySet<string>): readonly Option[] {
  const school = useSchool()
  const { t } = useTranslation()
  const bookable = school.instructors.filter(({ active, id }) => active || id === value)
  const license_class = classOf(studentId, school)?.license_class
  const wordsOf = (fit: Fit) => {
    if (fit === 'strange') return t('booking.doesNotTeach', { license_class })
    return fit === 'preferred' ? t('booking.preferred') : undefined
  }
  return byFit(bookable, studentId, school).map(({ instructor, fit }) => ({
    value: instructor.id,
    label: nameOf(instructor),
    hint: [free.has(instructor.id) ? t('find.free') : undefined, wordsOf(fit)].filter(Boolean).join(' · '),
  }))
}
