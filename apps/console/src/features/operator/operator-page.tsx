import * as contract from '@floorcast/contract/operator.ts'
import { endOperatorSession, readOperator } from '@floorcast/contract/operator-sign-in.ts'
import { Button, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { toast } from '../../platform/toasts.ts'
import { Mark } from '../../ui/brand.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { callAsOperator, keepOperatorToken, operatorQueries } from './operator-data.ts'
import { NoticePanel, ReadOnlyPanel, useAct } from './operator-acts.tsx'
import * as lists from './operator-lists.tsx'
import * as panels from './operator-panels.tsx'

/** The overview is read again so often. */
const refetchMs = 10_000

const useOverview = () =>
  useQuery({
    queryKey: queryKeys.operator.overview(),
    queryFn: () => callAsOperator(contract.readOperatorOverview, {}),
    refetchInterval: refetchMs,
  })

function Figures() {
  const { data, error, refetch } = useOverview()
  if (data) return <panels.FiguresPanel overview={data} />
  if (error) return <ErrorPanel error={error} retry={() => void refetch()} />
  return <Skeleton height={160} aria-busy />
}

/** The servers with what they do, and what an operator does with them. */
function Workings() {
  const { t } = useTranslate()
  const { busy, act } = useAct()
  const { data } = useOverview()
  const run = async (name: contract.JobName) => {
    if (await act(name, contract.runJob, { params: { name } }))
      void toast('success', t('operator:jobs.started'))
  }
  if (!data) return null
  return (
    <>
      <panels.ServersPanel overview={data} />
      <panels.JobsPanel overview={data} busy={busy} onRun={name => void run(name)} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <panels.QueuesPanel overview={data} />
        <panels.AgentsPanel overview={data} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <NoticePanel notice={data.state.notice} />
        <ReadOnlyPanel readOnly={data.state.readOnly} />
      </SimpleGrid>
    </>
  )
}

function Page({ language }: { language: ReactNode }) {
  const { t } = useTranslate()
  const { data } = useQuery({
    queryKey: queryKeys.operator.self(),
    queryFn: () => callAsOperator(readOperator, {}),
  })
  const signOut = async () => {
    await callAsOperator(endOperatorSession, {}).catch(toastFailure)
    keepOperatorToken(null)
    operatorQueries.clear()
  }
  return (
    <Stack gap="lg" p="md" maw={1440} mx="auto">
      <title>{`${t('operator:title')} · Floorcast`}</title>
      <Group component="header" justify="space-between">
        <Group gap="xs">
          <Mark />
          <Title order={1} size="h3">
            {t('operator:title')}
          </Title>
          <Text size="sm" c="dimmed">
            <bdi>{data?.email}</bdi>
          </Text>
        </Group>
        <Group gap="xs">
          {language}
          <Button variant="default" onClick={() => void signOut()}>
            {t('operator:signOut')}
          </Button>
        </Group>
      </Group>
      <Stack component="main" gap="lg">
        <Figures />
        <lists.ClientsPanel />
        <lists.RequestsPanel />
        <Workings />
        <lists.AuditPanel />
      </Stack>
    </Stack>
  )
}

/** What an operator of the installation sees and does. @param language the menu of languages */
export const OperatorPage = ({ language }: { language: ReactNode }) => (
  <QueryClientProvider client={operatorQueries}>
    <Page language={language} />
  </QueryClientProvider>
)
