-- Plain names: the functions that sign in users and devices are auth_*(), called by role floorcast_auth; row-level
-- security is enabled by enable_tenant_rls(). floorcast_door keeps no rights; an administrator may drop it.

set local role floorcast_definer;
-- Plain names: the functions that sign in users and devices are auth_*(), called by role floorcast_auth; row-level
alter function door_bind_license(text,uuid,bytea,text,timestamp with time zone) rename to auth_bind_license;
grant execute on function auth_bind_license(text,uuid,bytea,text,timestamp with time zone) to floorcast_auth;
revoke all on function auth_bind_license(text,uuid,bytea,text,timestamp with time zone) from floorcast_door;
alter function door_devices_by_tokens(bytea[]) rename to auth_devices_by_tokens;
grant execute on function auth_devices_by_tokens(bytea[]) to floorcast_auth;
revoke all on function auth_devices_by_tokens(bytea[]) from floorcast_door;
alter function door_has_clients() rename to auth_has_clients;
grant execute on function auth_has_clients() to floorcast_auth;
revoke all on function auth_has_clients() from floorcast_door;
alter function door_redeem_ticket(bytea,text,timestamp with time zone) rename to auth_redeem_ticket;
grant execute on function auth_redeem_ticket(bytea,text,timestamp with time zone) to floorcast_auth;
revoke all on function auth_redeem_ticket(bytea,text,timestamp with time zone) from floorcast_door;
alter function door_register(uuid,text,text,timestamp with time zone,uuid,text,text,text,text,timestamp with time zone) rename to auth_register;
grant execute on function auth_register(uuid,text,text,timestamp with time zone,uuid,text,text,text,text,timestamp with time zone) to floorcast_auth;
revoke all on function auth_register(uuid,text,text,timestamp with time zone,uuid,text,text,text,text,timestamp with time zone) from floorcast_door;
alter function door_session_by_token(bytea,timestamp with time zone,integer) rename to auth_session_by_token;
grant execute on function auth_session_by_token(bytea,timestamp with time zone,integer) to floorcast_auth;
revoke all on function auth_session_by_token(bytea,timestamp with time zone,integer) from floorcast_door;
alter function door_use_link(bytea,text,timestamp with time zone) rename to auth_use_link;
grant execute on function auth_use_link(bytea,text,timestamp with time zone) to floorcast_auth;
revoke all on function auth_use_link(bytea,text,timestamp with time zone) from floorcast_door;
alter function door_user_by_email(text) rename to auth_user_by_email;
grant execute on function auth_user_by_email(text) to floorcast_auth;
revoke all on function auth_user_by_email(text) from floorcast_door;
set local role floorcast_search;
alter function search_things(text, text, text[], jsonb, integer) rename to search_list;
reset role;
alter function fence_tenant_table(regclass) rename to enable_tenant_rls;
alter policy door on clients rename to auth;
alter policy door on devices rename to auth;
alter policy door on sessions rename to auth;
alter policy door on tickets rename to auth;
alter policy door on user_links rename to auth;
alter policy door on users rename to auth;
