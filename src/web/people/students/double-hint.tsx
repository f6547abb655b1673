import { useTranslation } from 'react-i18next'
import type { Student } from '../../../contract/student.ts'
import { Button } from '../../ui/button.tsx'
import { studentName, useSchool } from '../../ui/school.tsx'
import css from './double-hint.module.css'
import { useDoubles } from './use-doubles.ts'

type DoubleHintProps = {
  readonly student: Student
  readonly onCompare: (double: Student) => void
}

/** Says quietly that a student is possibly somebody else's double, with a comparison. */
export function DoubleHint({ student, onCompare }: DoubleHintProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const found = useDoubles().get(student.id)
  const double = found && school.student.get(found.person.id)
  if (!double) return null
  const name = studentName(double, school)
  return (
    <p className={css.hint}>
      <span>
        {t('merge.possibly', { name })} {t(`same.${found.likeness}`, { name })}
      </span>
      <Button look="bare" onClick={() => onCompare(double)}>
        {t('merge.compare')}
      </Button>
    </p>
  )
}
