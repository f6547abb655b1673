import { useTranslation } from 'react-i18next'
import type { UserRole } from '../../../contract/auth.ts'
import { Choice } from '../../ui/dialogs/choice.tsx'
import { nameOf, useSchool } from '../../ui/school.tsx'
import type { UserForm } from './user-form.ts'

const ROLES: readonly UserRole[] = ['owner', 'office', 'instructor']

type RoleFieldsProps = {
  readonly form: UserForm
  readonly onChange: (change: Partial<UserForm>) => void
}

/** The role, and the user's instructor, which only the role `instructor` requires. */
export function RoleFields({ form, onChange }: RoleFieldsProps) {
  const { instructors } = useSchool()
  const { t } = useTranslation()
  return (
    <>
      <Choice
        label={t('field.role')}
        hint={t(`users.${form.role}`)}
        data={ROLES.map((role) => ({ value: role, label: t(`role.${role}`) }))}
        value={form.role}
        onChange={(role) => onChange({ role: ROLES.find((one) => one === role) ?? form.role })}
      />
      <Choice
        label={t('field.instructor_id')}
        placeholder={t(form.role === 'instructor' ? 'users.choose' : 'users.nobody')}
        hint={form.role === 'instructor' ? '' : t('users.teaches')}
        data={instructors.map((one) => ({ value: one.id, label: nameOf(one), hint: one.email }))}
        value={form.instructor_id}
        clearable={form.role !== 'instructor'}
        onChange={(instructor_id) => onChange({ instructor_id })}
      />
    </>
  )
}
