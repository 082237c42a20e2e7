import { RouterProvider } from 'react-router/dom'
import { Looks } from './looks.tsx'
import { router } from './router.tsx'

export function App() {
  return (
    <Looks>
      <RouterProvider router={router} />
    </Looks>
  )
}
