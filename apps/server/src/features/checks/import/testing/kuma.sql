-- A database of Uptime Kuma as a test fixture. The statements that create tables and indexes are those of
-- Uptime Kuma 2.5.3 (https://github.com/louislam/uptime-kuma, commit 6398a9581d1c, its db/kuma.db after all of its
-- migrations), under this licence. The rows are made up: no name, address or secret in them is a real one.
--
-- MIT License
--
-- Copyright (c) 2021 Louis Lam
--
-- Permission is hereby granted, free of charge, to any person obtaining a copy
-- of this software and associated documentation files (the "Software"), to deal
-- in the Software without restriction, including without limitation the rights
-- to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
-- copies of the Software, and to permit persons to whom the Software is
-- furnished to do so, subject to the following conditions:
--
-- The above copyright notice and this permission notice shall be included in all
-- copies or substantial portions of the Software.
--
-- THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
-- IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
-- FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
-- AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
-- LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
-- OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
-- SOFTWARE.

CREATE TABLE [user](
  [id] INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, 
  [username] VARCHAR(255) NOT NULL UNIQUE, 
  [password] VARCHAR(255), 
  [active] BOOLEAN NOT NULL DEFAULT 1, 
  [timezone] VARCHAR(150), twofa_secret VARCHAR(64), twofa_status BOOLEAN default 0 NOT NULL, twofa_last_token VARCHAR(6));
CREATE TABLE [notification](
  [id] INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, 
  [name] VARCHAR(255), 
  [active] BOOLEAN NOT NULL DEFAULT 1, 
  [user_id] INTEGER NOT NULL, is_default BOOLEAN default 0 NOT NULL, config TEXT);
CREATE TABLE [monitor_notification](
  [id] INTEGER PRIMARY KEY NOT NULL, 
  [monitor_id] INTEGER NOT NULL REFERENCES [monitor]([id]) ON DELETE CASCADE ON UPDATE CASCADE, 
  [notification_id] INTEGER NOT NULL REFERENCES [notification]([id]) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE INDEX [monitor_notification_index]
ON [monitor_notification](
  [monitor_id], 
  [notification_id]);
CREATE TABLE tag (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	name VARCHAR(255) NOT NULL,
    color VARCHAR(255) NOT NULL,
	created_date DATETIME DEFAULT (DATETIME('now')) NOT NULL
);
CREATE TABLE monitor_tag (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	monitor_id INTEGER NOT NULL,
	tag_id INTEGER NOT NULL,
	value TEXT,
	CONSTRAINT FK_tag FOREIGN KEY (tag_id) REFERENCES tag(id) ON DELETE CASCADE ON UPDATE CASCADE,
	CONSTRAINT FK_monitor FOREIGN KEY (monitor_id) REFERENCES monitor(id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX monitor_tag_monitor_id_index ON monitor_tag (monitor_id);
CREATE INDEX monitor_tag_tag_id_index ON monitor_tag (tag_id);
CREATE TABLE "setting"
(
    id INTEGER
        primary key autoincrement,
    key VARCHAR(200) not null
        unique,
    value TEXT,
    type VARCHAR(20)
);
CREATE TABLE incident
(
    id INTEGER not null
        constraint incident_pk
            primary key autoincrement,
    title VARCHAR(255) not null,
    content TEXT not null,
    style VARCHAR(30) default 'warning' not null,
    created_date DATETIME default (DATETIME('now')) not null,
    last_updated_date DATETIME,
    pin BOOLEAN default 1 not null,
    active BOOLEAN default 1 not null
, status_page_id INTEGER);
CREATE TABLE `group`
(
    id           INTEGER      not null
        constraint group_pk
            primary key autoincrement,
    name         VARCHAR(255) not null,
    created_date DATETIME              default (DATETIME('now')) not null,
    public       BOOLEAN               default 0 not null,
    active       BOOLEAN               default 1 not null,
    weight       BOOLEAN      NOT NULL DEFAULT 1000
, status_page_id INTEGER);
CREATE TABLE [monitor_group]
(
    [id]         INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    [monitor_id] INTEGER                           NOT NULL REFERENCES [monitor] ([id]) ON DELETE CASCADE ON UPDATE CASCADE,
    [group_id]   INTEGER                           NOT NULL REFERENCES [group] ([id]) ON DELETE CASCADE ON UPDATE CASCADE,
    weight BOOLEAN NOT NULL DEFAULT 1000
, send_url BOOLEAN DEFAULT 0 NOT NULL, `custom_url` text);
CREATE INDEX [fk]
    ON [monitor_group] (
                        [monitor_id],
                        [group_id]);
CREATE TABLE [notification_sent_history] (
    [id] INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    [type] VARCHAR(50) NOT NULL,
    [monitor_id] INTEGER NOT NULL,
    [days] INTEGER NOT NULL,
    UNIQUE([type], [monitor_id], [days])
);
CREATE INDEX [good_index] ON [notification_sent_history] (
    [type],
    [monitor_id],
    [days]
);
CREATE TABLE docker_host (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	user_id INT NOT NULL,
	docker_daemon VARCHAR(255),
	docker_type VARCHAR(255),
	name VARCHAR(255)
);
CREATE TABLE [status_page_cname](
    [id] INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    [status_page_id] INTEGER NOT NULL REFERENCES [status_page]([id]) ON DELETE CASCADE ON UPDATE CASCADE,
    [domain] VARCHAR NOT NULL UNIQUE
);
CREATE TABLE [maintenance] (
    [id] INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    [title] VARCHAR(150) NOT NULL,
    [description] TEXT NOT NULL,
    [user_id] INTEGER REFERENCES [user]([id]) ON DELETE SET NULL ON UPDATE CASCADE,
    [active] BOOLEAN NOT NULL DEFAULT 1,
    [strategy] VARCHAR(50) NOT NULL DEFAULT 'single',
    [start_date] DATETIME,
    [end_date] DATETIME,
    [start_time] TIME,
    [end_time] TIME,
    [weekdays] VARCHAR2(250) DEFAULT '[]',
    [days_of_month] TEXT DEFAULT '[]',
    [interval_day] INTEGER
, cron TEXT, timezone VARCHAR(255), duration INTEGER, `last_start_date` datetime);
CREATE INDEX [manual_active] ON [maintenance] (
    [strategy],
    [active]
);
CREATE INDEX [active] ON [maintenance] ([active]);
CREATE INDEX [maintenance_user_id] ON [maintenance] ([user_id]);
CREATE TABLE maintenance_status_page (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    status_page_id INTEGER NOT NULL,
    maintenance_id INTEGER NOT NULL,
    CONSTRAINT FK_maintenance FOREIGN KEY (maintenance_id) REFERENCES maintenance (id) ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT FK_status_page FOREIGN KEY (status_page_id) REFERENCES status_page (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX [status_page_id_index]
    ON [maintenance_status_page]([status_page_id]);
CREATE INDEX [maintenance_id_index]
    ON [maintenance_status_page]([maintenance_id]);
CREATE TABLE monitor_maintenance (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    monitor_id INTEGER NOT NULL,
    maintenance_id INTEGER NOT NULL,
    CONSTRAINT FK_maintenance FOREIGN KEY (maintenance_id) REFERENCES maintenance (id) ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT FK_monitor FOREIGN KEY (monitor_id) REFERENCES monitor (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX [maintenance_id_index2] ON [monitor_maintenance]([maintenance_id]);
CREATE INDEX [monitor_id_index] ON [monitor_maintenance]([monitor_id]);
CREATE TABLE [api_key] (
    [id] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    [key] VARCHAR(255) NOT NULL,
    [name] VARCHAR(255) NOT NULL,
    [user_id] INTEGER NOT NULL,
    [created_date] DATETIME DEFAULT (DATETIME('now')) NOT NULL,
    [active] BOOLEAN DEFAULT 1 NOT NULL,
    [expires] DATETIME DEFAULT NULL,
    CONSTRAINT FK_user FOREIGN KEY ([user_id]) REFERENCES [user]([id]) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE TABLE `remote_browser` (`id` integer not null primary key autoincrement, `name` varchar(255) not null, `url` varchar(255) not null, `user_id` integer);
CREATE TABLE "monitor_tls_info" (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `monitor_id` INTEGER NOT NULL REFERENCES `monitor` (`id`) ON DELETE CASCADE ON UPDATE CASCADE, `info_json` text);
CREATE TABLE "proxy" (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `user_id` INT NOT NULL, `protocol` VARCHAR(10) NOT NULL, `host` VARCHAR(255) NOT NULL, `port` integer, `auth` BOOLEAN NOT NULL, `username` VARCHAR(255) NULL, `password` VARCHAR(255) NULL, `active` BOOLEAN NOT NULL DEFAULT 1, `default` BOOLEAN NOT NULL DEFAULT 0, `created_date` DATETIME NOT NULL DEFAULT (DATETIME('now')));
CREATE INDEX proxy_user_id ON proxy (user_id);
CREATE TABLE "domain_expiry" (`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL, `last_check` datetime, `domain` varchar(255) NOT NULL, `expiry` datetime, `last_expiry_notification_sent` integer DEFAULT null);
CREATE UNIQUE INDEX `domain_expiry_domain_unique` on `domain_expiry` (`domain`);
CREATE TABLE "heartbeat" (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `important` BOOLEAN NOT NULL DEFAULT 0, `monitor_id` INTEGER NOT NULL REFERENCES `monitor` (`id`) ON DELETE CASCADE ON UPDATE CASCADE, `status` SMALLINT NOT NULL, `msg` TEXT, `time` DATETIME NOT NULL, `ping` bigint, `duration` INTEGER NOT NULL DEFAULT 0, `down_count` INTEGER NOT NULL DEFAULT 0, `end_time` datetime NULL DEFAULT null, `retries` integer NOT NULL DEFAULT '0', `response` text NULL DEFAULT null);
CREATE INDEX [monitor_id] ON [heartbeat]([monitor_id]);
CREATE INDEX [important] ON [heartbeat]([important]);
CREATE INDEX monitor_time_index ON heartbeat (monitor_id, time);
CREATE INDEX `monitor_important_time_index` on `heartbeat` (`monitor_id`, `time`) where important = 1;
CREATE INDEX `heartbeat_important_index` on `heartbeat` (`important`) where important = 1;
CREATE TABLE "stat_minutely" (`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL, `monitor_id` integer NOT NULL, `timestamp` integer NOT NULL, `ping` float NOT NULL, `up` integer NOT NULL, `down` integer NOT NULL, `ping_min` float NOT NULL DEFAULT '0', `ping_max` float NOT NULL DEFAULT '0', `extras` text DEFAULT null, FOREIGN KEY (`monitor_id`) REFERENCES `monitor` (`id`) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE UNIQUE INDEX `stat_minutely_monitor_id_timestamp_unique` on `stat_minutely` (`monitor_id`, `timestamp`);
CREATE TABLE "stat_hourly" (`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL, `monitor_id` integer NOT NULL, `timestamp` integer NOT NULL, `ping` float NOT NULL, `ping_min` float NOT NULL DEFAULT '0', `ping_max` float NOT NULL DEFAULT '0', `up` integer NOT NULL, `down` integer NOT NULL, `extras` text DEFAULT null, FOREIGN KEY (`monitor_id`) REFERENCES `monitor` (`id`) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE UNIQUE INDEX `stat_hourly_monitor_id_timestamp_unique` on `stat_hourly` (`monitor_id`, `timestamp`);
CREATE TABLE "monitor" (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `name` VARCHAR(150), `active` BOOLEAN NOT NULL DEFAULT 1, `user_id` INTEGER REFERENCES `user` ON DELETE SET NULL ON UPDATE CASCADE, `interval` INTEGER NOT NULL DEFAULT 20, `url` TEXT, `type` VARCHAR(20), `weight` INTEGER DEFAULT 2000, `hostname` VARCHAR(255), `port` INTEGER, `created_date` DATETIME NOT NULL DEFAULT (DATETIME('now')), `keyword` VARCHAR(255), `maxretries` INTEGER NOT NULL DEFAULT 0, `ignore_tls` BOOLEAN NOT NULL DEFAULT 0, `upside_down` BOOLEAN NOT NULL DEFAULT 0, `maxredirects` INTEGER NOT NULL DEFAULT 10, `accepted_statuscodes_json` TEXT NOT NULL DEFAULT '["200-299"]', `dns_resolve_type` VARCHAR(5), `dns_resolve_server` VARCHAR(255), `dns_last_result` text, `retry_interval` INTEGER NOT NULL DEFAULT 0, `push_token` varchar(32), `method` TEXT NOT NULL DEFAULT 'GET', `body` TEXT DEFAULT null, `headers` TEXT DEFAULT null, `basic_auth_user` TEXT DEFAULT null, `basic_auth_pass` TEXT DEFAULT null, `docker_host` INTEGER REFERENCES `docker_host` (`id`), `docker_container` VARCHAR(255), `proxy_id` INTEGER REFERENCES `proxy` (`id`), `expiry_notification` BOOLEAN DEFAULT 1, `mqtt_topic` TEXT, `mqtt_success_message` VARCHAR(255), `mqtt_username` VARCHAR(255), `mqtt_password` VARCHAR(255), `database_connection_string` VARCHAR(2000), `database_query` TEXT, `auth_method` VARCHAR(250), `auth_domain` TEXT, `auth_workstation` TEXT, `grpc_url` VARCHAR(255) DEFAULT null, `grpc_protobuf` TEXT DEFAULT null, `grpc_body` TEXT DEFAULT null, `grpc_metadata` TEXT DEFAULT null, `grpc_method` VARCHAR(255) DEFAULT null, `grpc_service_name` VARCHAR(255) DEFAULT null, `grpc_enable_tls` BOOLEAN NOT NULL DEFAULT 0, `radius_username` VARCHAR(255), `radius_password` VARCHAR(255), `radius_calling_station_id` VARCHAR(50), `radius_called_station_id` VARCHAR(50), `radius_secret` VARCHAR(255), `resend_interval` INTEGER NOT NULL DEFAULT 0, `packet_size` INTEGER NOT NULL DEFAULT 56, `game` VARCHAR(255), `http_body_encoding` VARCHAR(25), `description` TEXT DEFAULT null, `tls_ca` TEXT DEFAULT null, `tls_cert` TEXT DEFAULT null, `tls_key` TEXT DEFAULT null, `parent` INTEGER REFERENCES `monitor` (`id`) ON DELETE SET NULL ON UPDATE CASCADE, `invert_keyword` BOOLEAN NOT NULL DEFAULT 0, `json_path` TEXT, `expected_value` VARCHAR(255), `kafka_producer_topic` VARCHAR(255), `kafka_producer_brokers` TEXT, `kafka_producer_sasl_options` TEXT, `kafka_producer_message` TEXT, `oauth_client_id` TEXT DEFAULT null, `oauth_client_secret` TEXT DEFAULT null, `oauth_token_url` TEXT DEFAULT null, `oauth_scopes` TEXT DEFAULT null, `oauth_auth_method` TEXT DEFAULT null, `timeout` DOUBLE NOT NULL DEFAULT 0, `gamedig_given_port_only` BOOLEAN NOT NULL DEFAULT 1, `kafka_producer_ssl` BOOLEAN NOT NULL DEFAULT 0, `kafka_producer_allow_auto_topic_creation` BOOLEAN NOT NULL DEFAULT 0, `mqtt_check_type` varchar(255) NOT NULL DEFAULT 'keyword', `remote_browser` integer NULL DEFAULT null, `snmp_oid` varchar(255) DEFAULT null, `snmp_version` text CHECK (`snmp_version` in('1' , '2c' , '3')) DEFAULT '2c', `json_path_operator` varchar(255) DEFAULT null, `cache_bust` boolean NOT NULL DEFAULT '0', `conditions` text NOT NULL DEFAULT '[]', `rabbitmq_nodes` text, `rabbitmq_username` varchar(255), `rabbitmq_password` varchar(255), `smtp_security` varchar(255) DEFAULT null, `ws_ignore_sec_websocket_accept_header` boolean NOT NULL DEFAULT '0', `ws_subprotocol` varchar(255) NOT NULL DEFAULT '', `ping_count` integer NOT NULL DEFAULT '1', `ping_numeric` boolean NOT NULL DEFAULT '1', `ping_per_request_timeout` integer NOT NULL DEFAULT '2', `ip_family` varchar(4) DEFAULT null, `manual_status` integer, `oauth_audience` varchar(255) NULL DEFAULT null, `mqtt_websocket_path` varchar(255) NULL, `domain_expiry_notification` boolean DEFAULT '0', `save_response` boolean NOT NULL DEFAULT '0', `save_error_response` boolean NOT NULL DEFAULT '1', `response_max_length` integer NOT NULL DEFAULT '1024', `system_service_name` varchar(255), `subtype` varchar(10) NULL, `location` varchar(255) NULL, `protocol` varchar(20) NULL, `snmp_v3_username` varchar(255), `expected_tls_alert` varchar(50) DEFAULT null, `retry_only_on_status_code_failure` boolean NOT NULL DEFAULT '0', `screenshot_delay` integer NOT NULL DEFAULT '0', `ntp_stratum_threshold` integer default '5', `ntp_time_offset_threshold` integer default '1000', `ntp_root_dispersion_threshold` integer default '500', `bearer_token` text default null, `gamedig_token` text default null, FOREIGN KEY (`remote_browser`) REFERENCES `remote_browser` (`id`));
CREATE INDEX user_id on monitor (user_id);
CREATE INDEX proxy_id ON monitor (proxy_id);
CREATE INDEX `monitor_remote_browser_index` on `monitor` (`remote_browser`);
CREATE TABLE "stat_daily" (`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL, `monitor_id` integer NOT NULL, `timestamp` integer NOT NULL, `ping` float NOT NULL, `up` integer NOT NULL, `down` integer NOT NULL, `ping_min` float NOT NULL DEFAULT '0', `ping_max` float NOT NULL DEFAULT '0', `extras` text DEFAULT null, FOREIGN KEY (`monitor_id`) REFERENCES `monitor` (`id`) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE UNIQUE INDEX `stat_daily_monitor_id_timestamp_unique` on `stat_daily` (`monitor_id`, `timestamp`);
CREATE TABLE "status_page" (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `slug` VARCHAR(255) NOT NULL UNIQUE, `title` VARCHAR(255) NOT NULL, `description` TEXT, `icon` VARCHAR(255) NOT NULL, `theme` VARCHAR(30) NOT NULL, `published` BOOLEAN NOT NULL DEFAULT 1, `search_engine_index` BOOLEAN NOT NULL DEFAULT 1, `show_tags` BOOLEAN NOT NULL DEFAULT 0, `password` VARCHAR, `created_date` DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP, `modified_date` DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP, `footer_text` TEXT, `custom_css` TEXT, `show_powered_by` BOOLEAN NOT NULL DEFAULT 1, `analytics_id` VARCHAR, `show_certificate_expiry` BOOLEAN NOT NULL DEFAULT 0, `auto_refresh_interval` integer DEFAULT '300', `analytics_script_url` varchar(255), `show_only_last_heartbeat` boolean NOT NULL DEFAULT '0', `rss_title` varchar(255), `analytics_type` varchar(255) null default null);
CREATE UNIQUE INDEX `slug` on `status_page` (`slug`);

insert into "user" ("id", "username", "password", "timezone") values (1, 'ada', '$2a$10$notARealHash', 'Europe/Berlin');
insert into "setting" ("key", "value", "type") values ('jwtSecret', '$2a$10$notARealSecretOfAnInstallation', null);
insert into "setting" ("key", "value", "type") values ('tlsExpiryNotifyDays', '[7,14,21]', 'general');
insert into "setting" ("key", "value", "type") values ('primaryBaseURL', '"https://kuma.northwind-bikes.example"', 'general');
insert into "docker_host" ("id", "user_id", "docker_daemon", "docker_type", "name") values (1, 1, '/var/run/docker.sock', 'socket', 'NAS');
insert into "proxy" ("id", "user_id", "protocol", "host", "port", "auth") values (1, 1, 'http', '10.0.20.2', 3128, 0);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification") values (1, 'Websites', 'group', 1, 60, 60, 1, 24, 0);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification") values (2, 'Home lab', 'group', 1, 60, 60, 1, 24, 0);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification") values (3, 'Mail', 'group', 1, 60, 60, 1, 24, 0);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "active") values (4, 'Retired', 'group', 1, 60, 60, 1, 24, 0, 0);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent") values (5, 'Company website', 'http', 1, 60, 60, 1, 24, 1, 'https://www.northwind-bikes.example/', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent") values (6, 'Shop', 'http', 1, 30, 60, 3, 24, 1, 'https://shop.northwind-bikes.example/', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent") values (7, 'Shop checkout', 'http', 1, 60, 60, 1, 24, 1, 'https://shop.northwind-bikes.example/checkout/health', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "keyword", "parent") values (8, 'Blog', 'keyword', 1, 300, 60, 1, 24, 1, 'https://blog.northwind-bikes.example/', 'Latest posts', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "keyword", "parent", "invert_keyword") values (9, 'Shop has no error banner', 'keyword', 1, 60, 60, 1, 24, 0, 'https://shop.northwind-bikes.example/', 'Something went wrong', 1, 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent", "accepted_statuscodes_json", "maxredirects") values (10, 'Press page', 'http', 1, 60, 60, 1, 24, 0, 'https://www.northwind-bikes.example/press', 1, '["200-299","301","302"]', 0);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent") values (11, 'Careers', 'http', 1, 600, 60, 1, 48, 0, 'https://careers.northwind-bikes.example/', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent", "accepted_statuscodes_json", "maxredirects") values (12, 'Old shop redirects', 'http', 1, 60, 60, 1, 24, 0, 'http://northwind-bikes.example/', 1, '["301"]', 0);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent") values (13, 'Status of the CDN', 'http', 1, 20, 60, 1, 16, 0, 'https://cdn.northwind-bikes.example/ping.txt', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent", "accepted_statuscodes_json") values (14, 'Dealer portal', 'http', 1, 60, 60, 1, 24, 0, 'https://dealers.northwind-bikes.example/', 1, '["401"]');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent", "auth_method", "basic_auth_user", "basic_auth_pass") values (15, 'Dealer portal, signed in', 'http', 1, 60, 60, 1, 24, 0, 'https://dealers.northwind-bikes.example/home', 1, 'basic', 'probe', 'not-a-real-one');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent", "method", "body", "http_body_encoding") values (16, 'Order webhook', 'http', 1, 60, 60, 1, 24, 0, 'https://api.northwind-bikes.example/hooks/order', 1, 'POST', '{"probe":true}', 'json');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent", "headers") values (17, 'API with a key', 'http', 1, 60, 60, 1, 24, 0, 'https://api.northwind-bikes.example/v1/health', 1, '{"X-Api-Key":"not-a-real-one"}');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent") values (18, 'API', 'http', 1, 60, 60, 0, 24, 1, 'https://api.northwind-bikes.example/v1/ping', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent") values (19, 'API by IPv6', 'http', 1, 120, 60, 1, 24, 0, 'https://[2606:4700:4700::1111]/', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "json_path", "expected_value", "json_path_operator", "parent") values (20, 'API answers ok', 'json-query', 1, 60, 60, 1, 24, 0, 'https://api.northwind-bikes.example/v1/status', 'state', 'ok', '==', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent") values (21, 'Shop in a browser', 'real-browser', 1, 60, 60, 1, 24, 0, 'https://shop.northwind-bikes.example/', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent") values (22, 'Live prices', 'websocket-upgrade', 1, 60, 60, 1, 24, 0, 'wss://live.northwind-bikes.example/socket', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "grpc_url", "keyword", "grpc_service_name", "grpc_method", "parent") values (23, 'Stock service', 'grpc-keyword', 1, 60, 60, 1, 24, 0, 'stock.northwind-bikes.example:50051', 'SERVING', 'Health', 'check', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "proxy_id") values (24, 'Partner status', 'http', 1, 60, 60, 1, 24, 0, 'https://partner.example/status', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "auth_method") values (25, 'Bank gateway', 'http', 1, 60, 60, 1, 24, 0, 'https://gateway.bank.example/alive', 'mtls');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url") values (26, 'Documentation', 'http', 1, 60, 60, 2, 24, 1, 'https://docs.northwind-bikes.example/');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url") values (27, 'Downloads', 'http', 1, 60, 60, 1, 24, 1, 'https://downloads.northwind-bikes.example:8443/');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url") values (28, 'Map tiles', 'http', 1, 3600, 60, 1, 30, 0, 'https://tiles.openmap.example/0/0/0.png');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "keyword") values (29, 'Newsletter sign-up', 'keyword', 1, 900, 60, 1, 24, 0, 'https://news.northwind-bikes.example/join', 'Abonnieren für „Rad & Tal“');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "keyword") values (30, 'Terms are online', 'keyword', 1, 60, 60, 1, 24, 0, 'https://www.northwind-bikes.example/terms', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "upside_down") values (31, 'Intentionally down', 'http', 1, 60, 60, 1, 24, 0, 'https://closed.northwind-bikes.example/', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url") values (32, 'A very long name that somebody typed to describe everything about this monitor at once, with details', 'http', 1, 60, 60, 1, 24, 0, 'https://long.northwind-bikes.example/');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url") values (33, 'With password in the address', 'http', 1, 60, 60, 1, 24, 0, 'https://probe:secret@intern.northwind-bikes.example/');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "active") values (34, 'Forum', 'http', 1, 60, 60, 1, 24, 0, 'https://forum.northwind-bikes.example/', 0);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "ignore_tls") values (35, 'Wiki', 'http', 1, 60, 60, 1, 24, 0, 'https://wiki.northwind-bikes.example/', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "domain_expiry_notification") values (36, 'Club site', 'http', 1, 86400, 60, 1, 24, 0, 'https://radverein-waldkirch.example/', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url") values (37, 'Grandma’s blog', 'http', 1, 172800, 60, 1, 24, 0, 'https://omas-rezepte.example/');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent") values (38, 'Router', 'http', 1, 60, 60, 1, 24, 0, 'http://192.168.1.1/', 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent", "ignore_tls") values (39, 'NAS', 'http', 1, 60, 60, 1, 24, 1, 'https://nas.local:5001/', 2, 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent") values (40, 'Home Assistant', 'http', 1, 60, 60, 1, 24, 0, 'http://homeassistant.local:8123/', 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent") values (41, 'Pi-hole', 'http', 1, 60, 60, 1, 24, 0, 'http://pihole/admin/', 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent") values (42, 'Jellyfin', 'http', 1, 60, 60, 1, 24, 0, 'http://10.0.20.14:8096/health', 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent") values (43, 'Printer', 'http', 1, 300, 60, 1, 24, 0, 'http://[fd12:3456:789a::20]/', 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "keyword", "parent") values (44, 'Grafana', 'keyword', 1, 60, 60, 1, 24, 0, 'http://grafana.lan:3000/login', 'Grafana', 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "parent") values (45, 'SSH on the NAS', 'port', 1, 60, 60, 1, 24, 0, '192.168.1.20', 22, 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "parent") values (46, 'MQTT broker', 'port', 1, 60, 60, 1, 24, 0, 'broker.home.arpa', 1883, 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "packet_size", "parent") values (47, 'Garage camera', 'ping', 1, 60, 60, 1, 24, 0, '192.168.1.60', 56, 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "parent") values (48, 'Weather station', 'ping', 1, 60, 60, 1, 24, 0, 'wetter.example', 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname") values (49, 'Quad9', 'ping', 1, 60, 60, 1, 24, 0, '9.9.9.9');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "parent") values (50, 'Laptop over Tailscale', 'tailscale-ping', 1, 60, 60, 1, 24, 0, 'laptop', 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "docker_container", "docker_host", "parent") values (51, 'Paperless container', 'docker', 1, 60, 60, 1, 24, 0, 'paperless', 1, 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "docker_container", "docker_host", "parent") values (52, 'Immich container', 'docker', 1, 60, 60, 1, 24, 0, 'immich_server', 1, 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "mqtt_topic", "mqtt_success_message", "parent") values (53, 'Temperature in the cellar', 'mqtt', 1, 60, 60, 1, 24, 0, '192.168.1.30', 1883, 'cellar/temperature', '', 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "snmp_oid", "snmp_version", "json_path", "json_path_operator", "expected_value", "parent") values (54, 'Switch uptime', 'snmp', 1, 60, 60, 1, 24, 0, '192.168.1.2', 161, '1.3.6.1.2.1.1.3.0', '2c', '$', '>', '0', 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "system_service_name", "parent") values (55, 'nginx on this machine', 'system-service', 1, 60, 60, 1, 24, 0, 'nginx', 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "system_service_name", "parent") values (56, 'Worker in PM2', 'pm2', 1, 60, 60, 1, 24, 0, 'worker', 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "manual_status", "parent") values (57, 'Heating', 'manual', 1, 60, 60, 1, 24, 0, 1, 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "push_token", "parent") values (58, 'Backup of the NAS', 'push', 1, 86400, 3600, 2, 24, 0, 'qXw7Lr2bVn8TzKc4Jd6Ym1Hs9Pf3Gu5A', 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "push_token", "parent") values (59, 'Backup of the laptop', 'push', 1, 90000, 60, 0, 24, 0, 'M0nDayBackupTokenLaptop00000001x', 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "push_token", "parent") values (60, 'Solar inverter', 'push', 1, 300, 60, 1, 24, 0, 'aB3dE5gH7j', 2);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "push_token") values (61, 'Certificates renewed', 'push', 1, 604800, 86400, 1, 24, 0, 'ReNew0000000000000000000000CerTs');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "push_token") values (62, 'Quarterly report', 'push', 1, 7776000, 60, 1, 24, 0, 'QuarterlyReportScript0000000003x');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "push_token", "active") values (63, 'Every five minutes', 'push', 1, 300, 60, 1, 24, 0, 'cronJobEveryFiveMinutes0000004xx', 0);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "push_token") values (64, 'A weak token', 'push', 1, 60, 60, 1, 24, 0, 'abc');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "push_token", "upside_down") values (65, 'Upside-down push', 'push', 1, 60, 60, 1, 24, 0, 'upsideDownPushToken000000000005x', 1);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "parent") values (66, 'SMTP', 'port', 1, 60, 60, 1, 24, 0, 'mail.northwind-bikes.example', 587, 3);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "parent") values (67, 'IMAPS', 'port', 1, 60, 60, 5, 24, 0, 'mail.northwind-bikes.example', 993, 3);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "parent") values (68, 'Submission by address', 'port', 1, 60, 60, 1, 24, 0, '203.0.113.25', 465, 3);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port") values (69, 'SSH of the web server', 'port', 1, 60, 60, 1, 24, 0, 'web1.northwind-bikes.example', 22);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "expected_tls_alert") values (70, 'TLS is refused without a certificate', 'port', 1, 60, 60, 1, 24, 0, 'vault.northwind-bikes.example', 8200, 'certificate_required');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port") values (71, 'Minecraft', 'port', 1, 45, 60, 1, 36, 0, 'craft.northwind-bikes.example', 25565);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port") values (72, 'TeamSpeak query', 'port', 1, 60, 60, 1, 24, 0, '1.1.1.1', 10011);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port") values (73, 'Without a port', 'port', 1, 60, 60, 1, 24, 0, 'web1.northwind-bikes.example', null);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "smtp_security", "parent") values (74, 'Mail server greets', 'smtp', 1, 60, 60, 1, 24, 0, 'mail.northwind-bikes.example', 25, 'starttls', 3);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port") values (75, 'Telephone system', 'sip-options', 1, 60, 60, 1, 24, 0, 'sip.northwind-bikes.example', 5060);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "dns_resolve_type", "dns_resolve_server") values (76, 'Website address', 'dns', 1, 60, 60, 1, 24, 0, 'www.northwind-bikes.example', 53, 'A', '1.1.1.1');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "dns_resolve_type", "dns_resolve_server") values (77, 'Website address by IPv6', 'dns', 1, 60, 60, 1, 24, 0, 'www.northwind-bikes.example', 53, 'AAAA', '1.1.1.1');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "dns_resolve_type", "dns_resolve_server", "conditions") values (78, 'Mail exchanger', 'dns', 1, 60, 60, 1, 24, 0, 'northwind-bikes.example', 53, 'MX', '1.1.1.1', '[{"type":"expression","andOr":"and","variable":"record","operator":"equals","value":"mail.northwind-bikes.example"}]');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "dns_resolve_type", "dns_resolve_server", "conditions") values (79, 'SPF', 'dns', 1, 60, 60, 1, 24, 0, 'northwind-bikes.example', 53, 'TXT', '1.1.1.1', '[{"type":"expression","andOr":"and","variable":"record","operator":"contains","value":"v=spf1"}]');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "dns_resolve_type", "dns_resolve_server") values (80, 'Name servers', 'dns', 1, 3600, 60, 1, 24, 0, 'northwind-bikes.example', 53, 'NS', '1.1.1.1');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "dns_resolve_type", "dns_resolve_server") values (81, 'Shop alias', 'dns', 1, 60, 60, 1, 24, 0, 'shop.northwind-bikes.example', 53, 'CNAME', '1.1.1.1');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "dns_resolve_type", "dns_resolve_server") values (82, 'Who may issue certificates', 'dns', 1, 60, 60, 1, 24, 0, 'northwind-bikes.example', 53, 'CAA', '1.1.1.1');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "dns_resolve_type", "dns_resolve_server") values (83, 'Start of authority', 'dns', 1, 60, 60, 1, 24, 0, 'northwind-bikes.example', 53, 'SOA', '1.1.1.1');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "dns_resolve_type", "dns_resolve_server") values (84, 'Kerberos', 'dns', 1, 60, 60, 1, 24, 0, '_kerberos._tcp.northwind-bikes.example', 53, 'SRV', '1.1.1.1');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "dns_resolve_type", "dns_resolve_server") values (85, 'Reverse', 'dns', 1, 60, 60, 1, 24, 0, '10.113.0.203.in-addr.arpa', 53, 'PTR', '1.1.1.1');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "database_connection_string", "database_query") values (86, 'Orders database', 'postgres', 1, 60, 60, 1, 24, 0, 'postgres://probe:not-a-real-one@10.0.20.5/orders', 'select 1');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "database_connection_string") values (87, 'Blog database', 'mysql', 1, 60, 60, 1, 24, 0, 'mysql://probe:not-a-real-one@10.0.20.6/blog');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "database_connection_string") values (88, 'Accounting', 'sqlserver', 1, 60, 60, 1, 24, 0, 'Server=10.0.20.7,1433;Database=acc;User Id=probe;Password=not-a-real-one');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "database_connection_string") values (89, 'Catalogue', 'mongodb', 1, 60, 60, 1, 24, 0, 'mongodb://10.0.20.8/catalogue');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "database_connection_string") values (90, 'ERP', 'oracledb', 1, 60, 60, 1, 24, 0, '10.0.20.9:1521/erp');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "database_connection_string") values (91, 'Cache', 'redis', 1, 60, 60, 1, 24, 0, 'redis://10.0.20.10:6379');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "rabbitmq_nodes", "rabbitmq_username", "rabbitmq_password") values (92, 'Queue', 'rabbitmq', 1, 60, 60, 1, 24, 0, '["http://10.0.20.11:15672"]', 'probe', 'not-a-real-one');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "kafka_producer_brokers", "kafka_producer_topic", "kafka_producer_message") values (93, 'Events', 'kafka-producer', 1, 60, 60, 1, 24, 0, '["10.0.20.12:9092"]', 'probe', 'hello');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "radius_username", "radius_password", "radius_secret") values (94, 'Office Wi-Fi', 'radius', 1, 60, 60, 1, 24, 0, '10.0.20.13', 1812, 'probe', 'not-a-real-one', 'not-a-real-one');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port") values (95, 'Time server', 'ntp', 1, 60, 60, 1, 24, 0, 'ntp.northwind-bikes.example', 123);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "subtype", "location") values (96, 'Website from Tokyo', 'globalping', 1, 60, 60, 1, 24, 0, 'www.northwind-bikes.example', 'ping', 'Tokyo');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port") values (97, 'Valheim', 'steam', 1, 60, 60, 1, 24, 0, '203.0.113.90', 2457);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "game") values (98, 'Counter-Strike', 'gamedig', 1, 60, 60, 1, 24, 0, 'cs.northwind-bikes.example', 27015, 'counterstrike2');
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "url", "parent") values (99, 'Retired intranet', 'http', 1, 60, 60, 1, 24, 0, 'https://intranet-2019.northwind-bikes.example/', 4);
insert into "monitor" ("id", "name", "type", "user_id", "interval", "retry_interval", "maxretries", "timeout", "expiry_notification", "hostname", "port", "parent") values (100, 'Retired FTP', 'port', 1, 60, 60, 1, 24, 0, 'ftp.northwind-bikes.example', 21, 4);
insert into "tag" ("id", "name", "color") values (1, 'production', '#DC2626');
insert into "tag" ("id", "name", "color") values (2, 'staging', '#2563EB');
insert into "tag" ("id", "name", "color") values (3, 'customer-facing', '#059669');
insert into "tag" ("id", "name", "color") values (4, 'home', '#D97706');
insert into "tag" ("id", "name", "color") values (5, 'critical', '#DC2626');
insert into "tag" ("id", "name", "color") values (6, 'billing', '#2563EB');
insert into "tag" ("id", "name", "color") values (7, 'mail', '#059669');
insert into "tag" ("id", "name", "color") values (8, 'backup', '#D97706');
insert into "tag" ("id", "name", "color") values (9, 'database', '#DC2626');
insert into "tag" ("id", "name", "color") values (10, 'internal', '#2563EB');
insert into "tag" ("id", "name", "color") values (11, 'eu-west', '#059669');
insert into "tag" ("id", "name", "color") values (12, 'Ada', '#D97706');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (5, 1, 'Freiburg');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (6, 2, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (7, 3, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (8, 4, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (9, 5, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (10, 6, 'Freiburg');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (11, 7, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (12, 8, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (13, 9, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (14, 10, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (15, 11, 'Freiburg');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (16, 12, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (17, 1, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (18, 2, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (19, 3, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (20, 4, 'Freiburg');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (21, 5, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (22, 6, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (23, 7, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (24, 8, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (25, 9, 'Freiburg');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (26, 10, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (27, 11, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (28, 12, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (29, 1, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (30, 2, 'Freiburg');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (31, 3, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (32, 4, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (33, 5, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (34, 6, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (35, 7, 'Freiburg');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (36, 8, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (37, 9, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (38, 10, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (39, 11, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (40, 12, 'Freiburg');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (41, 1, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (42, 2, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (43, 3, '');
insert into "monitor_tag" ("monitor_id", "tag_id", "value") values (44, 4, '');
insert into "notification" ("id", "name", "user_id", "active", "is_default", "config") values (1, 'Team on Slack', 1, 1, 1, '{"name":"Team on Slack","type":"slack","isDefault":false,"applyExisting":false,"slackwebhookURL":"https://hooks.slack.com/services/T00000000/B00000000/notARealOne0000000000000","slackchannel":"#alerts","slackusername":"kuma","slackiconemo":":bear:"}');
insert into "notification" ("id", "name", "user_id", "active", "is_default", "config") values (2, 'On-call Telegram', 1, 1, 0, '{"name":"On-call Telegram","type":"telegram","isDefault":false,"applyExisting":false,"telegramBotToken":"123456789:not-a-real-token-of-a-bot","telegramChatID":"-1001234567890","telegramMessageThreadID":""}');
insert into "notification" ("id", "name", "user_id", "active", "is_default", "config") values (3, 'Phone by ntfy', 1, 1, 0, '{"name":"Phone by ntfy","type":"ntfy","isDefault":false,"applyExisting":false,"ntfyserverurl":"https://ntfy.sh","ntfytopic":"northwind-alerts","ntfyPriority":5,"ntfyAuthenticationMethod":"accessToken","ntfyaccesstoken":"tk_notARealOne0000000000000000"}');
insert into "notification" ("id", "name", "user_id", "active", "is_default", "config") values (4, 'Mail to the operators', 1, 1, 0, '{"name":"Mail to the operators","type":"smtp","isDefault":false,"applyExisting":false,"smtpHost":"mail.northwind-bikes.example","smtpPort":587,"smtpSecure":false,"smtpUsername":"kuma","smtpPassword":"not-a-real-one","smtpFrom":"Kuma <kuma@northwind-bikes.example>","smtpTo":"Ada Holm <ada@northwind-bikes.example>, ops@northwind-bikes.example"}');
insert into "notification" ("id", "name", "user_id", "active", "is_default", "config") values (5, 'Gotify at home', 1, 1, 0, '{"name":"Gotify at home","type":"gotify","isDefault":false,"applyExisting":false,"gotifyserverurl":"http://192.168.1.20:8070/","gotifyapplicationToken":"AnotARealToken1","gotifyPriority":8}');
insert into "notification" ("id", "name", "user_id", "active", "is_default", "config") values (6, 'Incident webhook', 1, 1, 0, '{"name":"Incident webhook","type":"webhook","isDefault":false,"applyExisting":false,"webhookURL":"https://hooks.northwind-bikes.example/kuma","webhookContentType":"json","httpMethod":"post","webhookAdditionalHeaders":"{\"Authorization\":\"Bearer not-a-real-one\"}"}');
insert into "notification" ("id", "name", "user_id", "active", "is_default", "config") values (7, 'Pager', 1, 1, 0, '{"name":"Pager","type":"PagerDuty","isDefault":false,"applyExisting":false,"pagerdutyIntegrationKey":"not-a-real-one","pagerdutyPriority":"critical"}');
insert into "notification" ("id", "name", "user_id", "active", "is_default", "config") values (8, 'Matrix room', 1, 0, 0, '{"name":"Matrix room","type":"matrix","isDefault":false,"applyExisting":false,"homeserverUrl":"https://matrix.northwind-bikes.example","internalRoomId":"!notARealRoom:northwind-bikes.example","accessToken":"syt_not_a_real_one"}');
insert into "monitor_notification" ("monitor_id", "notification_id") values (5, 1);
insert into "monitor_notification" ("monitor_id", "notification_id") values (8, 4);
insert into "monitor_notification" ("monitor_id", "notification_id") values (11, 7);
insert into "monitor_notification" ("monitor_id", "notification_id") values (14, 2);
insert into "monitor_notification" ("monitor_id", "notification_id") values (17, 5);
insert into "monitor_notification" ("monitor_id", "notification_id") values (20, 8);
insert into "monitor_notification" ("monitor_id", "notification_id") values (23, 3);
insert into "monitor_notification" ("monitor_id", "notification_id") values (26, 6);
insert into "monitor_notification" ("monitor_id", "notification_id") values (29, 1);
insert into "monitor_notification" ("monitor_id", "notification_id") values (32, 4);
insert into "monitor_notification" ("monitor_id", "notification_id") values (35, 7);
insert into "monitor_notification" ("monitor_id", "notification_id") values (38, 2);
insert into "monitor_notification" ("monitor_id", "notification_id") values (41, 5);
insert into "monitor_notification" ("monitor_id", "notification_id") values (44, 8);
insert into "monitor_notification" ("monitor_id", "notification_id") values (47, 3);
insert into "monitor_notification" ("monitor_id", "notification_id") values (50, 6);
insert into "monitor_notification" ("monitor_id", "notification_id") values (53, 1);
insert into "monitor_notification" ("monitor_id", "notification_id") values (56, 4);
insert into "monitor_notification" ("monitor_id", "notification_id") values (59, 7);
insert into "monitor_notification" ("monitor_id", "notification_id") values (62, 2);
insert into "monitor_notification" ("monitor_id", "notification_id") values (65, 5);
insert into "monitor_notification" ("monitor_id", "notification_id") values (68, 8);
insert into "monitor_notification" ("monitor_id", "notification_id") values (71, 3);
insert into "monitor_notification" ("monitor_id", "notification_id") values (74, 6);
insert into "monitor_notification" ("monitor_id", "notification_id") values (77, 1);
insert into "monitor_notification" ("monitor_id", "notification_id") values (80, 4);
insert into "monitor_notification" ("monitor_id", "notification_id") values (83, 7);
insert into "monitor_notification" ("monitor_id", "notification_id") values (86, 2);
insert into "monitor_notification" ("monitor_id", "notification_id") values (89, 5);
insert into "monitor_notification" ("monitor_id", "notification_id") values (92, 8);
insert into "monitor_notification" ("monitor_id", "notification_id") values (95, 3);
insert into "monitor_notification" ("monitor_id", "notification_id") values (98, 6);
insert into "status_page" ("id", "slug", "title", "description", "icon", "theme", "published", "footer_text", "custom_css") values (1, 'public', 'Northwind Bikes status', 'How our services are doing.', '/icon.svg', 'auto', 1, '', '');
insert into "status_page" ("id", "slug", "title", "description", "icon", "theme", "published", "footer_text", "custom_css") values (2, 'home', 'Home lab', null, '/icon.svg', 'dark', 1, '', '');
insert into "group" ("id", "name", "public", "active", "weight", "status_page_id") values (1, 'Services', 1, 1, 1, 1);
insert into "group" ("id", "name", "public", "active", "weight", "status_page_id") values (2, 'Mail', 1, 1, 2, 1);
insert into "group" ("id", "name", "public", "active", "weight", "status_page_id") values (3, 'Everything', 1, 1, 1, 2);
insert into "monitor_group" ("monitor_id", "group_id", "weight", "send_url") values (66, 2, 2, 0);
insert into "monitor_group" ("monitor_id", "group_id", "weight", "send_url") values (67, 2, 1, 0);
insert into "monitor_group" ("monitor_id", "group_id", "weight", "send_url") values (6, 1, 2, 0);
insert into "monitor_group" ("monitor_id", "group_id", "weight", "send_url") values (5, 1, 1, 0);
insert into "monitor_group" ("monitor_id", "group_id", "weight", "send_url") values (15, 1, 3, 0);
insert into "monitor_group" ("monitor_id", "group_id", "weight", "send_url") values (38, 3, 1, 0);
insert into "monitor_group" ("monitor_id", "group_id", "weight", "send_url") values (39, 3, 2, 0);
insert into "maintenance" ("id", "title", "description", "user_id", "active", "strategy", "start_date", "end_date", "timezone") values (1, 'Database upgrade', 'Orders pause for an hour.', 1, 1, 'single', '2026-12-05 22:00:00', '2026-12-05 23:00:00', 'Europe/Berlin');
insert into "maintenance" ("id", "title", "description", "user_id", "active", "strategy", "start_time", "end_time", "weekdays", "timezone") values (2, 'Patch Tuesday', '', 1, 1, 'recurring-weekday', '03:00', '04:30', '[2]', 'Europe/Berlin');
insert into "monitor_maintenance" ("monitor_id", "maintenance_id") values (6, 1);
insert into "monitor_maintenance" ("monitor_id", "maintenance_id") values (18, 2);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (1, 5, 1, '200 - OK', '2026-11-28 09:00:00.000', 40, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 6, 1, '200 - OK', '2026-11-28 09:02:00.000', 43, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 8, 1, '200 - OK', '2026-11-28 09:04:00.000', 46, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 5, 1, '200 - OK', '2026-11-28 09:06:00.000', 49, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 6, 1, '200 - OK', '2026-11-28 09:08:00.000', 52, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 8, 1, '200 - OK', '2026-11-28 09:10:00.000', 55, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 5, 0, 'connect ETIMEDOUT', '2026-11-28 09:12:00.000', null, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 6, 1, '200 - OK', '2026-11-28 09:14:00.000', 61, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (1, 8, 1, '200 - OK', '2026-11-28 09:16:00.000', 64, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 5, 1, '200 - OK', '2026-11-28 09:18:00.000', 67, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 6, 1, '200 - OK', '2026-11-28 09:20:00.000', 70, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 8, 1, '200 - OK', '2026-11-28 09:22:00.000', 73, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 5, 1, '200 - OK', '2026-11-28 09:24:00.000', 76, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 6, 0, 'connect ETIMEDOUT', '2026-11-28 09:26:00.000', null, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 8, 1, '200 - OK', '2026-11-28 09:28:00.000', 82, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 5, 1, '200 - OK', '2026-11-28 09:30:00.000', 85, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (1, 6, 1, '200 - OK', '2026-11-28 09:32:00.000', 88, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 8, 1, '200 - OK', '2026-11-28 09:34:00.000', 91, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 5, 1, '200 - OK', '2026-11-28 09:36:00.000', 94, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 6, 1, '200 - OK', '2026-11-28 09:38:00.000', 97, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 8, 0, 'connect ETIMEDOUT', '2026-11-28 09:40:00.000', null, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 5, 1, '200 - OK', '2026-11-28 09:42:00.000', 103, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 6, 1, '200 - OK', '2026-11-28 09:44:00.000', 106, 60);
insert into "heartbeat" ("important", "monitor_id", "status", "msg", "time", "ping", "duration") values (0, 8, 1, '200 - OK', '2026-11-28 09:46:00.000', 109, 60);
