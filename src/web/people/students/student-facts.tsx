import { useTranslation } from 'react-i18next'
import type { Student } from '../../../contract/student.ts'
import { namesOf } from '../../../domain/fields.ts'
import { PERSON_FIELDS } from '../../../domain/person-fields.ts'
import { ContactLinks } from '../../ui/contact-links.tsx'
import facts from '../../ui/facts.module.css'
import { NOTHING } from '../../ui/field-kinds.ts'
import { fieldText } from '../../ui/field-texts.ts'
import { momentText } from '../../ui/moment-text.ts'
import { useSchool } from '../../ui/school.tsx'

/** The fields that the card shows elsewhere, or not at all. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...namesOf(PERSON_FIELDS),
  'license_class_template_id',
  'messages_consent',
  'message_channel',
  'archived_at',
  'contacts',
])

export function StudentFacts({ student }: { student: Student }) {
  const school = useSchool()
  const { t } = useTranslation()
  const lines = fieldText('student', student, school, t).filter(
    ({ name, texts }) => !ELSEWHERE.has(name) && texts.join() !== NOTHING,
  )
  return (
    <>
      <ContactLinks {...student} />
      {student.contacts.map((one) => (
        <div key={`${one.name} ${one.relation}`}>
          {one.name} ({t(`contacts.${one.relation}`)})
          <ContactLinks phone={one.phone} phone_2={null} email={one.email} />
        </div>
      ))}
      <dl className={facts.facts}>
        {student.archived_at !== null && (
          <div className={facts.line}>
            <dt>{t('former.one')}</dt>
            <dd>{momentText(student.archived_at, school)}</dd>
          </div>
        )}
        {lines.map(({ name, label, texts }) => (
          <div key={name} className={facts.line}>
            <dt>{label}</dt>
            <dd className={facts.notes}>{texts.join(', ')}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
