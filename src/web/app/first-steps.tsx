import { Link, type LinkProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Icon } from '../ui/icon.tsx'
import page from '../ui/page.module.css'
import { useSchool } from '../ui/school.tsx'
import css from './first-steps.module.css'

type Step = {
  readonly text: string
  readonly isDone: boolean
  /** The page of the step; undefined if it cannot be taken yet. */
  readonly link: Pick<LinkProps, 'to' | 'search'> | undefined
}

/** Shows the steps of a new school until it can book. */
export default function FirstSteps() {
  const { tenant, instructors, students, user } = useSchool()
  const { t } = useTranslation()
  const hasInstructor = instructors.length > 0
  const steps: readonly Step[] = [
    {
      text: t('steps.hours'),
      isDone: tenant.version > 1 || hasInstructor,
      link: user.role === 'owner' ? { to: '/settings' } : undefined,
    },
    {
      text: t('steps.instructor'),
      isDone: hasInstructor,
      link: { to: '/instructors', search: { add: true } },
    },
    {
      text: t('steps.student'),
      isDone: students.length > 0,
      link: { to: '/students', search: { add: true } },
    },
    { text: t('steps.lesson'), isDone: false, link: undefined },
  ]
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <nav className={css.steps} aria-label={t('steps.title')}>
      <span className={css.title}>{t('steps.title')}</span>
      <ol className={css.list}>
        {steps.map((step) => (
          <li key={step.text} className={css.step}>
            <StepWords step={step} isNext={step === next} />
          </li>
        ))}
      </ol>
    </nav>
  )
}

function StepWords({ step: { text, isDone, link }, isNext }: { step: Step; isNext: boolean }) {
  const { t } = useTranslation()
  if (isDone) {
    return (
      <span className={css.done}>
        <Icon name="check" size={16} /> {text} <span className={page.hidden}>{t('steps.done')}</span>
      </span>
    )
  }
  if (!link) return <span className={css.later}>{text}</span>
  return (
    <Link {...link} className={css.link} data-next={isNext || undefined}>
      {text}
    </Link>
  )
}
