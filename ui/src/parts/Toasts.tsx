// SPDX-License-Identifier: Apache-2.0
import { Toast } from '@base-ui/react/toast';
import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import buttons from './Button.module.css';
import { toasts } from './toast';
import css from './Toasts.module.css';

/** The messages of `toast.ts`, newest last, in a corner that F6 reaches. */
export default function Toasts() {
  return (
    <Toast.Provider toastManager={toasts} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className={css.viewport ?? ''}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts: shown, close } = Toast.useToastManager();
  return shown.toReversed().map((toast) => {
    const Icon = toast.type === 'problem' ? TriangleAlert : CircleCheck;
    return (
      <Toast.Root key={toast.id} toast={toast} className={`${css.toast} ${toast.type === 'problem' ? css.problem : css.done}`}>
        <Toast.Content className={css.content ?? ''}>
          <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
          <div className={css.words}>
            <Toast.Title className={css.title ?? ''} render={<p />} />
            <Toast.Description className={css.detail ?? ''} />
          </div>
          {toast.actionProps && <Toast.Action onClick={() => close(toast.id)} />}
          <button type="button" className={buttons.icon} aria-label="Dismiss" onClick={() => close(toast.id)}>
            <X size={14} strokeWidth={1.75} aria-hidden="true" />
          </button>
        </Toast.Content>
      </Toast.Root>
    );
  });
}
