import { useTranslation } from 'react-i18next'
import type { OwnSchool } from '../../../contract/own-school.ts'
import { continueAtSchool } from '../../data/own-schools.ts'
import type { SecondStepNeeds } from '../../data/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { AttemptNotice } from './attempt-notice.tsx'
import css from './login-page.module.css'
import { useAttempt } from './use-attempt.ts'

type SchoolChoiceProps = {
  readonly schools: readonly OwnSchool[]
  readonly onSecondStep: (needs: SecondStepNeeds) => void
}

/** Asks which school to open if the login is valid for several. */
export function SchoolChoice({ schools, onSecondStep }: SchoolChoiceProps) {
  const { t } = useTranslation()
  const { attempt, error, isBusy, wait } = useAttempt()
  const choose = (school: OwnSchool) =>
    attempt(async () => {
      const needs = await continueAtSchool(school)
      if (needs !== undefined) onSecondStep(needs)
    })
  return (
    <div className={css.step}>
      <h2 className={css.subtitle}>{t('account.chooseSchool')}</h2>
      {schools.map((school, index) => (
        <Button
          key={school.id}
          className={css.submit}
          disabled={isBusy || wait > 0}
          autoFocus={index === 0}
          onClick={() => void choose(school)}
        >
          {school.name}
        </Button>
      ))}
      <AttemptNotice error={error} wait={wait} />
    </div>
  )
}
