import { useTranslation } from 'react-i18next'
import { Empty } from '../ui/states.tsx'

export function NotFound() {
  const { t } = useTranslation()
  return <Empty text={t('failure.page')} />
}
