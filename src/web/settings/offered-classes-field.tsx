import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import { allClasses } from '../ui/offered-classes.ts'
import { useSchool } from '../ui/school.tsx'
import css from './settings-page.module.css'

type OfferedClassesFieldProps = {
  readonly hidden: readonly string[]
  readonly onChange: (hidden: readonly string[]) => void
}

export function OfferedClassesField({ hidden, onChange }: OfferedClassesFieldProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const toggle = (one: string) =>
    onChange(hidden.includes(one) ? hidden.filter((other) => other !== one) : [...hidden, one])
  return (
    <FieldGroup title={t('settings.classes')} hint={t('settings.classesHint')}>
      <div className={css.classes}>
        {allClasses(school).map((one) => (
          <Button
            key={one}
            look={hidden.includes(one) ? 'plain' : 'chosen'}
            aria-pressed={!hidden.includes(one)}
            onClick={() => toggle(one)}
          >
            {one}
          </Button>
        ))}
      </div>
    </FieldGroup>
  )
}
