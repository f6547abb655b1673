import { useTranslation } from 'react-i18next'
import type { Student } from '../../../contract/student.ts'
import { classOf } from '../../lessons/teaching.ts'
import { ContactLinks } from '../../ui/contact-links.tsx'
import facts from '../../ui/facts.module.css'
import { nameOf, useSchool } from '../../ui/school.tsx'

export function StudentFacts({ student }: { student: Student }) {
  const school = useSchool()
  const { t } = useTranslation()
  const preferred = school.instructor.get(student.preferred_instructor_id ?? '')
  const lines = [
    [t('field.license_class_template_id'), classOf(student.id, school)?.name],
    [t('field.birth_date'), student.birth_date && school.format.date(student.birth_date)],
    [t('field.preferred_instructor_id'), preferred && nameOf(preferred)],
    [t('field.pickup_place'), student.pickup_place],
    [t('field.notes'), student.notes],
  ] as const
  return (
    <>
      <ContactLinks {...student} />
      <dl className={facts.facts}>
        {lines.map(
          ([name, value]) =>
            value && (
              <div key={name} className={facts.line}>
                <dt>{name}</dt>
                <dd className={facts.notes}>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </>
  )
}
