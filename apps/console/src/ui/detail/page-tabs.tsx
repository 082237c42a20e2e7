import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'

interface PageTab {
  id: string
  label: string
  content: ReactNode
}

/** Tabs of a detail page; the open one is in the address bar. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly PageTab[] }) {
  const [address, setAddress] = useSearchParams()
  const open = tabs.find(tab => tab.id === address.get('tab')) ?? tabs[0]
  const show = (id: string | null) => {
    setAddress(id === null || id === tabs[0]?.id ? {} : { tab: id }, {
      replace: true,
      preventScrollReset: true,
    })
  }
  return (
    <Tabs value={open?.id ?? null} onChange={show} keepMounted={false}>
      <Tabs.List aria-label={label} mb="md">
        {tabs.map(tab => (
          <Tabs.Tab key={tab.id} value={tab.id}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(tab => (
        <Tabs.Panel key={tab.id} value={tab.id}>
          {tab.content}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
