import { useTranslation } from 'react-i18next'
import type { Tenant } from '../../contract/tenant.ts'
import { VERIFICATION_METHODS } from '../../domain/student-actions.ts'
import { Choice } from '../ui/dialogs/choice.tsx'
import { SwitchField } from '../ui/dialogs/switch-field.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import { STUDENT_ACTIONS } from '../ui/student-action-texts.ts'

type Actions = Tenant['student_actions']

type StudentActionFieldsProps = {
  readonly actions: Actions
  readonly onChange: (actions: Actions) => void
}

/** The actions that students may take on their page, and the verification that it requires. */
export function StudentActionFields({ actions, onChange }: StudentActionFieldsProps) {
  const { t } = useTranslation()
  const set = (change: Partial<Actions>) => onChange({ ...actions, ...change })
  return (
    <FieldGroup title={t('studentActions.title')} hint={t('studentActions.hint')}>
      {STUDENT_ACTIONS.map((one) => (
        <SwitchField
          key={one}
          label={t(`studentActions.${one}`)}
          isOn={actions[one] ?? false}
          onChange={(isOn) => set({ [one]: isOn })}
        />
      ))}
      <Choice
        label={t('studentActions.verification')}
        hint={t('studentActions.verificationHint')}
        data={['birth_date', 'mail_code', 'none'].map((value) => ({
          value,
          label: t(`studentActions.verificationBy.${value as Actions['proof']}`),
        }))}
        value={actions.proof}
        onChange={(chosen) =>
          set({ proof: VERIFICATION_METHODS.find((one) => one === chosen) ?? actions.proof })
        }
      />
    </FieldGroup>
  )
}
