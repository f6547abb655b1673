import { useTranslation } from 'react-i18next'
import { Choice } from '../dialogs/choice.tsx'
import { byFit, classOf, type Fit } from '../lessons/teaching.ts'
import { Button } from '../ui/button.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import { preferredBy } from './filled-in.ts'
import css from './instructor-field.module.css'

type InstructorFieldProps = {
  readonly value: string
  readonly studentId: string | null
  /** Whether to say whom the student would rather have. */
  readonly isNew: boolean
  readonly onChange: (id: string) => void
}

/** Who teaches: first who suits the student. One who was chosen stays, and the preferred one is a click away. */
export function InstructorField({ value, studentId, isNew, onChange }: InstructorFieldProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const bookable = school.instructors.filter(({ active, id }) => active || id === value)
  const suited = new Map(byFit(bookable, studentId, school).map((one) => [one.instructor.id, one]))
  const license_class = classOf(studentId, school)?.license_class
  const words = (fit: Fit | undefined) => {
    if (fit === 'strange') return t('booking.doesNotTeach', { license_class })
    return fit === 'preferred' ? t('booking.preferred') : undefined
  }
  const preferred = isNew ? school.instructor.get(preferredBy(studentId, school) ?? '') : undefined
  return (
    <div>
      <Choice
        label={t('lesson.instructor')}
        data={[...suited.values()].map(({ instructor }) => ({
          value: instructor.id,
          label: nameOf(instructor),
          hint: words(suited.get(instructor.id)?.fit) ?? '',
        }))}
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
